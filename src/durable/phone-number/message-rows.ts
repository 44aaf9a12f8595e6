import type { ChatType, MessageStatus, SenderSource } from '../../contract/message.ts';
import type { OutboundMessageState } from './outbound-message.ts';

/** Messages of one span of time lie beside each other, so that the newest ones are found without an index. */
export const messageSpanMs = 30 * 60_000;

export function spanOf(queuedAt: number): number {
  return Math.floor(queuedAt / messageSpanMs);
}

/** What finds a message's row at once. */
export type MessageKey = Pick<OutboundMessageState, 'queuedAt' | 'providerMessageId'>;

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
  events: string | null;
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
      untold: row.events === null ? [] : JSON.parse(row.events),
    }));
}

export function findMessageAt(sql: SqlStorage, key: MessageKey): OutboundMessageState | null {
  const where = 'WHERE span = ? AND provider_message_id = ?';
  return selectMessages(sql, where, spanOf(key.queuedAt), key.providerMessageId)[0] ?? null;
}

/** The same where it is not known when the message was queued: span by span, the newest first. */
export function findMessage(sql: SqlStorage, providerMessageId: string): OutboundMessageState | null {
  const query = `
    WITH RECURSIVE spans (span) AS (
      SELECT max(span) FROM messages
      UNION ALL
      SELECT (SELECT max(span) FROM messages WHERE messages.span < spans.span) FROM spans WHERE span IS NOT NULL
    )
    SELECT messages.queued_at FROM spans
    CROSS JOIN messages ON messages.span = spans.span AND messages.provider_message_id = ? LIMIT 1`;
  const [row] = sql.exec<{ queued_at: number }>(query, providerMessageId).toArray();
  return row ? findMessageAt(sql, { queuedAt: row.queued_at, providerMessageId }) : null;
}
