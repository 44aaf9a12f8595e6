import { useFormatter, useTranslations } from 'use-intl';
import { Bubble } from '../../message/bubble.tsx';
import ActivityEntry from './activity-entry.tsx';
import entries from './entries.module.css';
import { NoteEntry } from './note-entry.tsx';
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
        <p className={entries.day}>
          <time dateTime={row.at}>{format.dateTime(new Date(row.at), { dateStyle: 'full' })}</time>
        </p>
      );
    case 'unread':
      return <p className={entries.unread}>{t('unread', { count: row.count })}</p>;
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
