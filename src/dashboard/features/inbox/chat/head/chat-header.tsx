import { ActionIcon, Box, Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Conversation } from '../../../../../sdk/index.ts';
import { Problem } from '../../../../parts/feedback.tsx';
import { Icon } from '../../../../parts/icon.tsx';
import { IconButton } from '../../../../parts/icon-button.tsx';
import { readable } from '../../../../parts/values/phone-numbers.ts';
import { keepFilters } from '../../inbox-search.ts';
import { ShortTime } from '../../list/short-time.tsx';
import { Avatar } from '../../people/avatar.tsx';
import { ContactTyping, useContactTyping } from '../../people/contact-typing.tsx';
import { useChatName, useNames, useOwnId } from '../../people/names.ts';
import { useUpdate } from '../../use-update.ts';
import classes from '../chat.module.css';
import type { PeopleHere } from '../presence.ts';

const SnoozeMenu = lazy(() => import('./snooze-menu.tsx'));
const JumpToDate = lazy(() => import('./jump-to-date.tsx'));

interface ChatHeaderProps {
  conversation: Conversation;
  people: PeopleHere;
  isPanelOpen: boolean;
  onPanel: () => void;
}

/** Who it is with, who else is here, and what is done most. */
export function ChatHeader({ conversation, people, isPanelOpen, onPanel }: ChatHeaderProps) {
  const t = useTranslations('inbox');
  const common = useTranslations('common');
  const name = useChatName()(conversation);
  const names = useNames();
  const ownId = useOwnId();
  const typing = useContactTyping(conversation.conversationId);
  const update = useUpdate(conversation.conversationId);
  const [shown, setShown] = useState<'snooze' | 'date' | null>(null);
  const { contact, group, numberId, status, assigneeId, waitingSince } = conversation;
  const isDone = status === 'resolved';
  const number = names.number(numberId);
  const assignee = names.person(assigneeId);
  const snooze = (
    <IconButton
      icon="clock"
      name={t('snooze')}
      size="lg"
      onClick={() => setShown('snooze')}
      aria-haspopup="menu"
      data-action="snooze"
    />
  );
  return (
    <header className={classes.header}>
      <ActionIcon
        className={classes.back}
        renderRoot={(props) => <Link to="/inbox" search={keepFilters} {...props} />}
        variant="subtle"
        size="lg"
        aria-label={common('back')}
      >
        <Icon name="back" />
      </ActionIcon>
      <Avatar name={name} isGroup={group !== null} />
      <div className={classes.titles}>
        <h1 dir="auto">{name}</h1>
        <p>
          <span aria-live="polite" className={classes.typing}>
            {typing !== null && <ContactTyping text={typing} />}
          </span>
          {people.others.length > 0 && (
            <span className={classes.here}>
              <Icon name="eye" size={13} />
              {t('alsoHere', { names: people.others.map((one) => one.name).join(', ') })}
            </span>
          )}
          {waitingSince !== null && (
            <span className={classes.waits}>
              <Icon name="clock" size={13} />
              <span className={classes.words}>{t('waits')} </span>
              <ShortTime at={waitingSince} isAge />
            </span>
          )}
          {contact?.phoneNumber && <span>{readable(contact.phoneNumber)}</span>}
          {number !== undefined && <span>{t('via', { number: number.label })}</span>}
          {assignee !== undefined && <span>{t('assignedTo', { name: assignee })}</span>}
        </p>
      </div>
      <div className={classes.buttons}>
        <IconButton
          icon="calendar"
          name={t('jumpToDate')}
          className={`${classes.wideOnly} ${classes.date}`}
          size="lg"
          onClick={() => setShown('date')}
        />
        {shown === 'snooze' ? (
          <Suspense fallback={snooze}>
            <SnoozeMenu
              target={snooze}
              onClose={() => setShown(null)}
              onChoose={(until) => update.mutate({ snoozedUntil: until.toISOString() })}
            />
          </Suspense>
        ) : (
          snooze
        )}
        {assigneeId !== ownId && (
          <Button
            className={classes.wideOnly}
            variant="default"
            onClick={() => update.mutate({ assigneeId: ownId })}
          >
            {t('takeIt')}
          </Button>
        )}
        <Button
          variant={isDone ? 'default' : 'filled'}
          loading={update.isPending && update.variables?.status !== undefined}
          onClick={() => update.mutate({ status: isDone ? 'open' : 'resolved' })}
        >
          {isDone ? t('reopen') : t('resolve')}
        </Button>
        <IconButton icon="info" name={t('details')} size="lg" onClick={onPanel} aria-expanded={isPanelOpen} />
      </div>
      <Suspense fallback={null}>{shown === 'date' && <JumpToDate onClose={() => setShown(null)} />}</Suspense>
      {update.error !== null && (
        <Box flex="1 0 100%">
          <Problem error={update.error} />
        </Box>
      )}
    </header>
  );
}
