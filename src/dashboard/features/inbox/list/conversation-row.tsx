import { Flex, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { useTranslations } from 'use-intl';
import type { Conversation } from '../../../../sdk/index.ts';
import { useStore } from '../../../gateway/store.ts';
import { Icon } from '../../../parts/icon.tsx';
import { useMessageText } from '../../../parts/values/message-text.ts';
import { presence } from '../../../queries/conversations/presence.ts';
import { keepFilters } from '../inbox-search.ts';
import { Ticks } from '../message/ticks.tsx';
import { Avatar } from '../people/avatar.tsx';
import { ContactTyping, useContactTyping } from '../people/contact-typing.tsx';
import { useChatName, useNames, useOwnId } from '../people/names.ts';
import classes from './conversation-row.module.css';
import { ShortTime } from './short-time.tsx';

interface ConversationRowProps {
  conversation: Conversation;
  isOpen: boolean;
  colours: ReadonlyMap<string, string>;
}

/** Who, what was said last, and what should not be missed of it. */
export const ConversationRow = memo(function ConversationRow({
  conversation,
  isOpen,
  colours,
}: ConversationRowProps) {
  const t = useTranslations('inbox');
  const common = useTranslations('common');
  const chatName = useChatName();
  const names = useNames();
  const { conversationId, lastMessage, unreadCount, waitingSince, labels, priority, status } = conversation;
  const { campaign } = conversation;
  const name = chatName(conversation);
  const typing = useContactTyping(conversationId);
  const assignee = names.person(conversation.assigneeId);
  const number = names.numbers.length > 1 ? names.number(conversation.numberId)?.label : undefined;
  return (
    <Link
      to="/inbox/$conversationId"
      params={{ conversationId }}
      search={keepFilters}
      preload="intent"
      className={classes.row}
      data-open={isOpen}
      data-unread={unreadCount > 0}
      aria-current={isOpen}
    >
      <Avatar name={name} isGroup={conversation.group !== null} />
      <Stack component="span" gap={1} flex={1} miw={0}>
        <span className={classes.line}>
          <span className={classes.name} dir="auto">
            {name}
          </span>
          <ShortTime at={lastMessage?.at ?? conversation.createdAt} />
        </span>
        <span className={classes.line}>
          <Flex component="span" gap={4} align="center" flex={1} miw={0} c="dimmed">
            {typing === null ? (
              <LastMessagePreview lastMessage={lastMessage} />
            ) : (
              <ContactTyping text={typing} />
            )}
          </Flex>
          {unreadCount > 0 && (
            <span className={classes.unread} title={t('unread', { count: unreadCount })}>
              {unreadCount > 99 ? '99+' : unreadCount}
            </span>
          )}
        </span>
        <Flex component="span" gap={8} align="center" mih={18}>
          <span className={classes.signs}>
            <Lookers conversationId={conversationId} />
            {(priority === 'urgent' || priority === 'high') && (
              <span className={classes.sign} data-tone={priority === 'urgent' ? 'red' : 'amber'}>
                <Icon name="flag" size={13} />
                {common(`priorities.${priority}`)}
              </span>
            )}
            {waitingSince !== null && (
              <span className={classes.sign} data-tone={conversation.sla === 'missed' ? 'red' : 'amber'}>
                <Icon name="clock" size={13} />
                <ShortTime at={waitingSince} isAge />
              </span>
            )}
            {status !== 'open' && (
              <span className={classes.sign}>{common(`conversationStatus.${status}`)}</span>
            )}
            {campaign !== null && (
              <span className={classes.sign} title={t('answersCampaign')}>
                <Icon name="campaigns" size={13} />
                {campaign.name ?? t('origins.campaign')}
              </span>
            )}
            {labels.slice(0, 2).map((label) => (
              <span key={label} className={classes.label} title={label}>
                <i style={{ background: colours.get(label) ?? 'var(--grey)' }} />
                <Text span truncate>
                  {label}
                </Text>
              </span>
            ))}
            {number !== undefined && (
              <Text span truncate>
                {number}
              </Text>
            )}
          </span>
          {assignee !== undefined && (
            <Flex
              component="span"
              display="inline-flex"
              flex="none"
              title={t('assignedTo', { name: assignee })}
            >
              <Avatar name={assignee} size={18} />
            </Flex>
          )}
        </Flex>
      </Stack>
    </Link>
  );
});

function LastMessagePreview({ lastMessage }: Pick<Conversation, 'lastMessage'>) {
  const t = useTranslations('inbox');
  const textOf = useMessageText();
  return (
    <>
      {lastMessage?.direction === 'outbound' && <Ticks status={lastMessage.status} />}
      <span className={classes.words} dir="auto">
        {lastMessage === null ? t('nothingYet') : textOf(lastMessage)}
      </span>
    </>
  );
}

/** Colleagues who have it open. */
function Lookers({ conversationId }: { conversationId: string }) {
  const t = useTranslations('inbox');
  const ownId = useOwnId();
  const shown = useStore(presence).conversations.get(conversationId);
  const others = shown?.people.filter(({ userId }) => userId !== ownId) ?? [];
  const [first] = others;
  if (first === undefined) return null;
  const isTyping = others.some(({ state }) => state === 'typing');
  return (
    <span className={classes.sign} data-tone="blue" title={others.map(({ name }) => name).join(', ')}>
      <Icon name={isTyping ? 'pencil' : 'eye'} size={13} />
      {others.length > 1 ? t('lookers', { count: others.length }) : first.name}
    </span>
  );
}
