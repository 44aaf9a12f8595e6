import { Box, Text } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';
import type { ConversationNote } from '../../../../../sdk/index.ts';
import { Icon } from '../../../../parts/icon.tsx';
import { Bubble } from '../../message/bubble.tsx';
import { FormattedText } from '../../message/text/formatted-text.tsx';
import { useNames } from '../../people/names.ts';
import ActivityEntry from './activity-entry.tsx';
import classes from './timeline.module.css';
import type { ChatMessage, TimelineRow } from './timeline-rows.ts';

interface EntryProps {
  row: TimelineRow;
  chatName: string;
  isGroup: boolean;
  onReply: (message: ChatMessage) => void;
  onJump: (messageId: string) => void;
}

/** One row of a chat. */
export default function Entry({ row, chatName, isGroup, onReply, onJump }: EntryProps) {
  const t = useTranslations('inbox');
  const format = useFormatter();
  switch (row.kind) {
    case 'day':
      return (
        <p className={classes.day}>
          <time dateTime={row.at}>{format.dateTime(new Date(row.at), { dateStyle: 'full' })}</time>
        </p>
      );
    case 'unread':
      return <p className={classes.unread}>{t('unread', { count: row.count })}</p>;
    case 'note':
      return <NoteEntry note={row.note} />;
    case 'activity':
      return <ActivityEntry activity={row.activity} />;
    case 'message':
      return (
        <Bubble
          message={row.message}
          isFirst={row.isFirst}
          isLast={row.isLast}
          chatName={chatName}
          isGroup={isGroup}
          onReply={onReply}
          onJump={onJump}
        />
      );
  }
}

/** A private note: colleagues see it, the other side never does. */
function NoteEntry({ note }: { note: ConversationNote }) {
  const t = useTranslations('inbox');
  const common = useTranslations('common');
  const format = useFormatter();
  const names = useNames();
  const mentioned = new Map(
    note.mentions.flatMap((userId) => {
      const name = names.person(userId);
      return name === undefined ? [] : [[name, name] as const];
    }),
  );
  const maker = note.automationId === undefined ? t('origins.assistant') : t('origins.automation');
  return (
    <Box
      component="article"
      m="3px 20px 8px"
      p="7px 12px 8px"
      bg="var(--amber-tint)"
      bd="1px solid color-mix(in srgb, var(--amber) 30%, transparent)"
      bdrs="lg"
      aria-label={common('note')}
    >
      <span className={classes.noteHead}>
        <Icon name="lock" size={13} />
        <b>{note.author?.name ?? maker}</b>
        <Text span truncate miw={0}>
          {t('noteHint')}
        </Text>
        <time dateTime={note.createdAt}>
          {format.dateTime(new Date(note.createdAt), { timeStyle: 'short' })}
        </time>
      </span>
      <FormattedText text={note.text} mentions={mentioned} />
    </Box>
  );
}
