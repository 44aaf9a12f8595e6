import { fieldsOf, type RowOf, rowOf } from '../../../storage/rows.ts';
import type { Conversation } from '../conversation.ts';

type Alike = Omit<Conversation, 'phoneNumber' | 'unreadCount'>;

/** A row of the table `conversations`. */
export type ConversationRow = RowOf<Alike> & { phone: string | null; unread: number };

export function conversationOf({ phone, unread, ...row }: ConversationRow): Conversation {
  const fields = fieldsOf<Alike>(row, ['labels', 'last', 'answers']);
  return { ...fields, phoneNumber: phone, unreadCount: unread };
}

export function conversationRow({ phoneNumber, unreadCount, ...fields }: Conversation): ConversationRow {
  return { ...rowOf<Alike>(fields), phone: phoneNumber, unread: unreadCount };
}
