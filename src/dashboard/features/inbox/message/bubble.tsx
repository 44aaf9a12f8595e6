import { Text, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, memo, Suspense, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { Icon } from '../../../parts/icon.tsx';
import { useMessageText } from '../../../parts/values/message-text.ts';
import { readable } from '../../../parts/values/phone-numbers.ts';
import { messageOfChatQuery, refreshMessage } from '../../../queries/conversations/conversation-items.ts';
import { withWords } from '../../../words/language.ts';
import type { ChatMessage } from '../chat/timeline/timeline-rows.ts';
import { useNames } from '../people/names.ts';
import classes from './bubble.module.css';
import { FormattedText } from './text/formatted-text.tsx';
import { Ticks } from './ticks.tsx';

const BubbleActions = lazy(() => import('./bubble-actions.tsx'));
const Media = lazy(() => import('./media/media.tsx'));
const OtherContent = lazy(() => import('./content.tsx'));
const AnswerMark = lazy(withWords(['inbox/assistant'], () => import('../assistant/answer-mark.tsx')));
const EditMessage = lazy(() => import('./edit-message.tsx'));

interface BubbleProps {
  message: ChatMessage;
  isFirst: boolean;
  isLast: boolean;
  /** Who the other side is, for quotes and reactions. */
  chatName: string;
  isGroup: boolean;
  onReply: (message: ChatMessage) => void;
  onJump: (messageId: string) => void;
}

/** One message, whoever wrote it. */
export const Bubble = memo(function Bubble(props: BubbleProps) {
  const { message, isFirst, isLast, chatName, isGroup, onReply, onJump } = props;
  const t = useTranslations('inbox');
  const common = useTranslations('common');
  const format = useFormatter();
  const [isEditing, setEditing] = useState(false);
  const { direction, messageId, status, deletedAt, editedAt, quotedMessageId, errorMessage } = message;
  const at = message.receivedAt ?? message.queuedAt ?? message.sentAt ?? '';
  const isOut = direction === 'outbound';
  return (
    <article
      className={classes.entry}
      data-direction={direction}
      data-last={isLast}
      aria-label={common('message')}
    >
      <div className={classes.bubble} data-status={status} data-bare={message.messageType === 'sticker'}>
        {isFirst && <Origin message={message} isGroup={isGroup} />}
        {message.isForwarded === true && <small className={classes.hint}>{t('forwarded')}</small>}
        {message.referral !== undefined && (
          <small className={classes.hint}>
            {t('fromAdvertisement', { name: message.referral.headline ?? message.referral.sourceUrl ?? '' })}
          </small>
        )}
        {quotedMessageId !== undefined && deletedAt === undefined && (
          <Quote messageId={quotedMessageId} chatName={chatName} onJump={onJump} />
        )}
        {deletedAt === undefined ? (
          isEditing ? (
            <Suspense fallback={null}>
              <EditMessage message={message} onClose={() => setEditing(false)} />
            </Suspense>
          ) : (
            <Content message={message} />
          )
        ) : (
          <span className={classes.deleted}>
            <Icon name="trash" size={14} />
            {t('deleted')}
          </span>
        )}
        <span className={classes.foot}>
          {editedAt !== undefined && <span>{t('edited')}</span>}
          <time
            dateTime={at}
            title={format.dateTime(new Date(at), { dateStyle: 'medium', timeStyle: 'medium' })}
          >
            {format.dateTime(new Date(at), { timeStyle: 'short' })}
          </time>
          {isOut && <Ticks status={status} />}
        </span>
        {message.origin?.kind === 'assistant' && deletedAt === undefined && (
          <Suspense fallback={null}>
            <AnswerMark turnId={message.origin.turnId} />
          </Suspense>
        )}
        <Reactions message={message} chatName={chatName} isGroup={isGroup} />
      </div>
      {status === 'failed' && (
        <p className={classes.failed}>
          <Icon name="warning" size={14} />
          {t('notSent', { reason: errorMessage ?? '' })}
        </p>
      )}
      {deletedAt === undefined && status !== 'failed' && (
        <Suspense fallback={null}>
          <BubbleActions message={message} onReply={() => onReply(message)} onEdit={() => setEditing(true)} />
        </Suspense>
      )}
      <span className={classes.anchor} data-message={messageId} />
    </article>
  );
});

/** Who wrote it: of what went out the colleague or what it was made by, of a group the member. */
function Origin({ message, isGroup }: { message: ChatMessage; isGroup: boolean }) {
  const t = useTranslations('inbox');
  const names = useNames();
  const { direction, from, origin, clientReference, sender } = message;
  if (direction === 'inbound') {
    return isGroup ? <strong className={classes.author}>{readable(from ?? '')}</strong> : null;
  }
  if (origin?.kind === 'person') {
    return <strong className={classes.author}>{names.person(origin.userId) ?? t('formerColleague')}</strong>;
  }
  // The phone itself chose no sender.
  const kind = origin?.kind ?? (sender?.source === null || sender === null ? 'phone' : 'api');
  return (
    <strong className={classes.author} data-kind={kind}>
      {t(`origins.${kind}`)}
      {kind === 'api' && clientReference !== null && ` · ${clientReference}`}
    </strong>
  );
}

function Content({ message }: { message: ChatMessage }) {
  const t = useTranslations('inbox');
  const { messageType, text, media, mentions } = message;
  const isMedia = isMediaType(messageType);
  const isOther = !isMedia && messageType !== 'text' && messageType !== 'unsupported';
  const named =
    mentions === undefined ? undefined : new Map(mentions.map((phone) => [phone, readable(phone)]));
  return (
    <>
      <Suspense fallback={<Text span display="block" w={260} maw="100%" h={44} />}>
        {media !== undefined && isMedia && (
          <Media
            type={messageType}
            media={media}
            onStale={() => void refreshMessage(message.messageId).catch(() => {})}
          />
        )}
        {isOther && <OtherContent message={message} />}
      </Suspense>
      {messageType === 'unsupported' && (
        <span className={classes.deleted}>{t('unsupported', { kind: message.unsupportedType ?? '' })}</span>
      )}
      {text !== '' && !isOther && <FormattedText text={text} mentions={named} />}
    </>
  );
}

const mediaTypes = ['image', 'video', 'audio', 'document', 'sticker'] as const;
const isMediaType = (type: string): type is (typeof mediaTypes)[number] =>
  (mediaTypes as readonly string[]).includes(type);

function Reactions({
  message,
  chatName,
  isGroup,
}: {
  message: ChatMessage;
  chatName: string;
  isGroup: boolean;
}) {
  const t = useTranslations('inbox');
  const { reactions = [], sender, direction, to } = message;
  if (reactions.length === 0) return null;
  const own = direction === 'inbound' ? to : sender?.phoneNumber;
  const byEmoji = Map.groupBy(reactions, ({ emoji }) => emoji);
  const nameOf = (from: string) => (from === own ? t('you') : isGroup ? readable(from) : chatName);
  return (
    <span className={classes.reactions}>
      {[...byEmoji].map(([emoji, given]) => (
        <span key={emoji} title={given.map(({ from }) => nameOf(from)).join(', ')}>
          {emoji}
          {given.length > 1 && <small>{given.length}</small>}
        </span>
      ))}
    </span>
  );
}

interface QuoteProps {
  messageId: string;
  chatName: string;
  onJump: (messageId: string) => void;
}

/** What a message answers; a press goes there. */
function Quote({ messageId, chatName, onJump }: QuoteProps) {
  const t = useTranslations('inbox');
  const textOf = useMessageText();
  const { data } = useQuery(messageOfChatQuery(messageId));
  const who = data?.direction === 'outbound' ? t('you') : chatName;
  const text = data === undefined ? '' : data.deletedAt !== undefined ? t('deleted') : textOf(data);
  return (
    <UnstyledButton className={classes.quote} onClick={() => onJump(messageId)} title={t('toQuoted')}>
      <b>{data === undefined ? t('quoted') : who}</b>
      <span dir="auto">{text}</span>
    </UnstyledButton>
  );
}
