import { fieldsOf, type RowOf, rowOf } from '../../../storage/rows.ts';
import type { Conversation } from '../conversation.ts';

type SameInRow = Omit<Conversation, 'phoneNumber' | 'unreadCount'>;

/** A row of the table `conversations`. */
export type ConversationRow = RowOf<SameInRow> & { phone: string | null; unread: number };

export function conversationOf({ phone, unread, ...row }: ConversationRow): Conversation {
  const fields = fieldsOf<SameInRow>(row, ['labels', 'last', 'answers']);
  return { ...fields, phoneNumber: phone, unreadCount: unread };
}

export function conversationRow({ phoneNumber, unreadCount, ...fields }: Conversation): ConversationRow {
  return { ...rowOf<SameInRow>(fields), phone: phoneNumber, unread: unreadCount };
}
