import { proto } from '@whiskeysockets/baileys';
import type { User } from '../accounts/user.ts';
import { blob, type Store } from '../store.ts';
import { type DescribedContent, describeContent } from './content/message-content.ts';
import { textOf } from './content/message-text.ts';

export type Arrival = {
  id: string;
  from: string;
  to: string;
  text: string | null;
  count: number;
  at: string;
} & Partial<DescribedContent>;

/** So many contents are kept, the newest ones. */
const contentsKept = 10_000;

/** Whether this message has reached this phone before. */
export function hasArrived(store: Store, messageId: string, sender: User, recipient: User): boolean {
  const row = store.get(
    'SELECT 1 AS known FROM arrivals WHERE message_id = ? AND sender_id = ? AND recipient_id = ?',
    messageId,
    sender.id,
    recipient.id,
  );
  return row !== undefined;
}

/** Counts an arrival at a phone; the content of the first one stays. Null: it could not be read. */
export function recordArrival(
  store: Store,
  arrival: {
    messageId: string;
    sender: User;
    recipient: User;
    groupId: string | null;
    content: proto.IMessage | null;
  },
): void {
  const { messageId, sender, recipient, groupId, content } = arrival;
  store.write(
    `INSERT INTO arrivals (message_id, sender_id, recipient_id, group_id, text, count, arrived_at)
     VALUES (?, ?, ?, ?, ?, 1, ?)
     ON CONFLICT (message_id, sender_id, recipient_id) DO UPDATE SET count = count + 1`,
    ...[messageId, sender.id, recipient.id, groupId, content ? textOf(content) : null, Date.now()],
  );
  if (!content) return;
  const { rowId } = store.write(
    'INSERT OR IGNORE INTO arrived_contents (message_id, sender_id, recipient_id, content) VALUES (?, ?, ?, ?)',
    ...[messageId, sender.id, recipient.id, proto.Message.encode(content).finish()],
  );
  store.write('DELETE FROM arrived_contents WHERE seq <= ?', rowId - contentsKept);
}

/** What arrived at a number, in a group, or everywhere: one row a message id, in the order of arrival. */
export function listArrivals(store: Store, to: string | undefined): Arrival[] {
  const rows = store.all(
    `SELECT a.message_id, sender.phone AS sender, coalesce(a.group_id, recipient.phone) AS recipient,
       max(a.text) AS text, max(a.count) AS count, min(a.arrived_at) AS arrived_at, max(c.content) AS content
     FROM arrivals a
     LEFT JOIN arrived_contents c ON c.message_id = a.message_id AND c.sender_id = a.sender_id
       AND c.recipient_id = a.recipient_id
     JOIN users sender ON sender.id = a.sender_id
     JOIN users recipient ON recipient.id = a.recipient_id
     WHERE ? IS NULL OR coalesce(a.group_id, recipient.phone) = ?
     GROUP BY a.message_id, a.sender_id, coalesce(a.group_id, recipient.phone)
     ORDER BY arrived_at, min(a.rowid)`,
    to ?? null,
    to ?? null,
  );
  return rows.map((row) => ({
    id: String(row.message_id),
    from: String(row.sender),
    to: String(row.recipient),
    text: row.text === null ? null : String(row.text),
    count: Number(row.count),
    at: new Date(Number(row.arrived_at)).toISOString(),
    ...(row.content !== null && describeContent(proto.Message.decode(blob(row.content)))),
  }));
}
