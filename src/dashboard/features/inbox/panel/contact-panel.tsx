import { Box, NativeSelect, SimpleGrid, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import type { Conversation } from '../../../../sdk/index.ts';
import { session } from '../../../gateway/session.ts';
import { useStore } from '../../../gateway/store.ts';
import { Problem } from '../../../parts/feedback.tsx';
import { inputOf } from '../../../parts/fields/input.ts';
import { Hint } from '../../../parts/hint.tsx';
import { IconButton } from '../../../parts/icon-button.tsx';
import { ShortId } from '../../../parts/values/copyable.tsx';
import { Facts } from '../../../parts/values/facts.tsx';
import { Moment } from '../../../parts/values/moment.tsx';
import { readable } from '../../../parts/values/phone-numbers.ts';
import {
  activityQuery,
  chatContactQuery,
  labelsQuery,
  teamsQuery,
} from '../../../queries/conversations/conversation-details.ts';
import { presence } from '../../../queries/conversations/presence.ts';
import { useActivityText } from '../chat/timeline/activity-entry.tsx';
import { Avatar } from '../people/avatar.tsx';
import { useNames } from '../people/names.ts';
import { useUpdate } from '../use-update.ts';
import { ContactFields } from './contact-fields.tsx';
import { LabelPicker } from './label-picker.tsx';
import { OptOut } from './opt-out.tsx';
import classes from './panel.module.css';

const Merge = lazy(() => import('./merge.tsx'));

const priorities = ['low', 'normal', 'high', 'urgent'] as const;
const statuses = ['open', 'pending', 'resolved'] as const;
const shownActivities = 12;

interface ContactPanelProps {
  conversation: Conversation;
  chatName: string;
  /** It lies over the chat: there is no room beside it. */
  isOver: boolean;
  onClose: () => void;
}

/** Who it is, who takes care of it, and what was done. */
export default function ContactPanel({ conversation, chatName, isOver, onClose }: ContactPanelProps) {
  const t = useTranslations('inbox');
  const common = useTranslations('common');
  const format = useFormatter();
  const names = useNames();
  const { online } = useStore(presence);
  const text = useActivityText();
  const { conversationId, contact, group, numberId, status } = conversation;
  const update = useUpdate(conversationId);
  const { data: teams = [] } = useQuery(teamsQuery);
  const { data: labels = [] } = useQuery(labelsQuery);
  const { data: activity } = useQuery(activityQuery(conversationId));
  const { data: person } = useQuery(chatContactQuery(conversation));
  const number = names.number(numberId);
  // Contacts are changed by owners and admins.
  const mayChange = useStore(session.current)?.account.role !== 'agent';
  return (
    <aside className={classes.panel} data-over={isOver} aria-label={t('details')}>
      <header className={classes.head}>
        <Avatar name={chatName} isGroup={group !== null} size={56} />
        <div className={classes.who}>
          <h2 dir="auto">{chatName}</h2>
          {contact?.phoneNumber && <Hint span>{readable(contact.phoneNumber)}</Hint>}
          {contact?.pushName && contact.pushName !== chatName && (
            <Hint component="small" dir="auto">
              {t('callsThemselves', { name: contact.pushName })}
            </Hint>
          )}
        </div>
        <IconButton icon="close" name={common('close')} onClick={onClose} />
      </header>
      <div className={classes.body}>
        <Problem error={update.error} />
        <section className={classes.part}>
          <h3>{common('conversation')}</h3>
          <NativeSelect
            size="xs"
            label={t('assignee')}
            {...inputOf(conversation.assigneeId ?? '', (id) => update.mutate({ assigneeId: id || null }))}
            data={[
              { value: '', label: common('unassigned') },
              ...names.people.map(({ userId, name }) => ({
                value: userId,
                label: online.has(userId) ? t('isOnline', { name }) : name,
              })),
            ]}
          />
          {teams.length > 0 && (
            <NativeSelect
              size="xs"
              label={common('team')}
              {...inputOf(conversation.teamId ?? '', (id) => update.mutate({ teamId: id || null }))}
              data={[
                { value: '', label: t('noTeam') },
                ...teams.map(({ teamId, name }) => ({ value: teamId, label: name })),
              ]}
            />
          )}
          <SimpleGrid cols={2} spacing="xs">
            <NativeSelect
              size="xs"
              label={common('state')}
              {...inputOf(status, (chosen) => chosen !== 'snoozed' && update.mutate({ status: chosen }))}
              data={[
                ...statuses.map((name) => ({ value: name, label: common(`conversationStatus.${name}`) })),
                ...(status === 'snoozed'
                  ? [{ value: 'snoozed', label: common('conversationStatus.snoozed') }]
                  : []),
              ]}
            />
            <NativeSelect
              size="xs"
              label={t('priority')}
              {...inputOf(conversation.priority, (priority) => update.mutate({ priority }))}
              data={priorities.map((name) => ({ value: name, label: common(`priorities.${name}`) }))}
            />
          </SimpleGrid>
          {conversation.snoozedUntil !== null && (
            <Hint>
              {t('until')} <Moment at={conversation.snoozedUntil} />
            </Hint>
          )}
          <LabelPicker
            chosen={conversation.labels}
            known={labels}
            onChange={(chosen) => update.mutate({ labels: chosen })}
          />
        </section>
        <section className={classes.part}>
          <h3>{group === null ? common('contact') : common('group')}</h3>
          <Box fz="xs">
            <Facts
              facts={[
                number !== undefined && [t('through'), number.label],
                ...(person === undefined
                  ? []
                  : ([
                      [common('firstSeen'), <Moment key="first" at={person.firstSeenAt} />],
                      [
                        common('lastMessage'),
                        <Moment key="last" at={conversation.lastInboundAt ?? person.lastInboundAt} ago />,
                      ],
                    ] as const)),
                [common('id'), <ShortId key="id" id={conversationId} />],
              ]}
            />
          </Box>
          {person !== undefined && mayChange && (
            <>
              <ContactFields conversationId={conversationId} contact={person} />
              <Suspense>
                <Merge key={person.contactId} conversationId={conversationId} contact={person} />
              </Suspense>
            </>
          )}
          {person !== undefined && (
            <OptOut
              conversationId={conversationId}
              contactId={person.contactId}
              optedOutAt={person.optedOutAt}
            />
          )}
        </section>
        {activity !== undefined && activity.data.length > 0 && (
          <section className={classes.part}>
            <h3>{t('history')}</h3>
            <Stack component="ol" gap={8} className={classes.history}>
              {activity.data.slice(0, shownActivities).map((one) => (
                <li key={one.activityId}>
                  <span>{text(one)}</span>
                  <time dateTime={one.at}>
                    {format.dateTime(new Date(one.at), { dateStyle: 'short', timeStyle: 'short' })}
                  </time>
                </li>
              ))}
            </Stack>
          </section>
        )}
      </div>
    </aside>
  );
}
