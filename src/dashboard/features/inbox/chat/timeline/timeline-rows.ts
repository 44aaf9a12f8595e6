import type { ConversationNote } from '../../../../../sdk/index.ts';
import { type Activity, type ChatItem, idOf, timeOf } from '../../../../queries/conversations/chat-items.ts';

export type ChatMessage = Extract<ChatItem, { kind: 'message' }>['message'];

/** What a chat is drawn of, oldest first. */
export type TimelineRow =
  | { kind: 'day'; key: string; at: string }
  | { kind: 'unread'; key: string; count: number }
  | { kind: 'message'; key: string; at: string; message: ChatMessage; isFirst: boolean; isLast: boolean }
  | { kind: 'note'; key: string; at: string; note: ConversationNote }
  | { kind: 'activity'; key: string; at: string; activity: Activity };

/** Messages of one side closer together than this stand as one group. */
const groupMs = 5 * 60_000;

interface Timeline {
  /** Newest first, as the gateway answers. */
  items: readonly ChatItem[];
  activities: readonly Activity[];
  /** Whether the chat begins with these items: then what was done before them is shown too. */
  isWhole: boolean;
  /** The first message that nobody had read when the chat was opened. */
  firstUnread: { id: string; count: number } | null;
}

export function timelineRows({ items, activities, isWhole, firstUnread }: Timeline): TimelineRow[] {
  const rows: TimelineRow[] = [];
  const oldest = items.at(-1);
  const from = isWhole || oldest === undefined ? '' : timeOf(oldest);
  const doings = activities.filter(({ at }) => at >= from).toSorted((a, b) => (a.at < b.at ? -1 : 1));
  let place = 0;
  let day = '';
  const add = (row: Exclude<TimelineRow, { kind: 'day' | 'unread' }>) => {
    const ownDay = new Date(row.at).toDateString();
    if (ownDay !== day) {
      day = ownDay;
      rows.push({ kind: 'day', key: `day ${ownDay}`, at: row.at });
    }
    const before = rows.at(-1);
    if (row.kind === 'message' && before?.kind === 'message' && isOneGroup(before, row.message, row.at)) {
      before.isLast = false;
      row.isFirst = false;
    }
    rows.push(row);
  };
  const addActivities = (until: string) => {
    for (; (doings[place]?.at ?? '~') <= until; place += 1) {
      const activity = doings[place];
      if (activity !== undefined)
        add({ kind: 'activity', key: activity.activityId, at: activity.at, activity });
    }
  };
  for (const item of items.toReversed()) {
    const at = timeOf(item);
    addActivities(at);
    const key = idOf(item);
    if (key === firstUnread?.id) rows.push({ kind: 'unread', key: 'unread', count: firstUnread.count });
    if (item.kind === 'note') add({ kind: 'note', key, at, note: item.note });
    else add({ kind: 'message', key, at, message: item.message, isFirst: true, isLast: true });
  }
  addActivities('9');
  return rows;
}

function isOneGroup(before: { message: ChatMessage; at: string }, message: ChatMessage, at: string): boolean {
  const other = before.message;
  return (
    other.direction === message.direction &&
    other.from === message.from &&
    makerOf(other) === makerOf(message) &&
    Date.parse(at) - Date.parse(before.at) < groupMs
  );
}

const makerOf = ({ origin }: ChatMessage): string | undefined =>
  origin?.kind === 'person' ? origin.userId : origin?.kind;
