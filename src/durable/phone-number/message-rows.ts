import type { ChatType, MessageStatus, SenderSource } from '../../contract/message.ts';
import type { OutboundMessageState } from './outbound-message.ts';

/** A row of `messages`. */
export type MessageRow = {
  provider_message_id: string;
  message_id: string;
  place: number | null;
  status: MessageStatus;
  recipient: string;
  chat_type: ChatType;
  content: string;
  sender_source: SenderSource;
  is_new_chat: number;
  may_move: number;
  moves: number;
  is_moving: number;
  queued_at: number;
  expires_at: number;
  handed_to: string | null;
  handed_at: number | null;
  sent_at: number | null;
  delivered_at: number | null;
  read_at: number | null;
  failed_at: number | null;
  error_message: string | null;
};

/** The outbound messages that a condition on the table `messages` names. */
export function selectMessages(
  sql: SqlStorage,
  where: string,
  ...bindings: (string | number)[]
): OutboundMessageState[] {
  return sql
    .exec<MessageRow>(`SELECT * FROM messages ${where}`, ...bindings)
    .toArray()
    .map((row) => ({
      messageId: row.message_id,
      providerMessageId: row.provider_message_id,
      place: row.place,
      status: row.status,
      to: row.recipient,
      chatType: row.chat_type,
      content: JSON.parse(row.content),
      senderSource: row.sender_source,
      isNewChat: row.is_new_chat === 1,
      mayMove: row.may_move === 1,
      moves: row.moves,
      isMoving: row.is_moving === 1,
      queuedAt: row.queued_at,
      expiresAt: row.expires_at,
      handedTo: row.handed_to,
      handedAt: row.handed_at,
      sentAt: row.sent_at,
      deliveredAt: row.delivered_at,
      readAt: row.read_at,
      failedAt: row.failed_at,
      errorMessage: row.error_message,
    }));
}
