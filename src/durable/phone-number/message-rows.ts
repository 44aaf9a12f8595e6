import type { ChatType, MessageStatus, SenderSource } from '../../contract/message.ts';
import type { OutboundMessageState } from './outbound-message.ts';
import type { PaceNote } from './sender-pace.ts';

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

/** Who is given a message, when, and the number's pace after that where it stands in this row. */
export interface HandOver {
  handedTo: string;
  handedAt: number;
  pace: PaceNote | null;
}

/** What a write of a message's row says of its events. */
export interface EventColumns {
  events: string | null;
  lastSeq: number | null;
  confirmedBefore: number;
}

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

/** Everything that a row holds: one that is used again keeps nothing of what it was. */
const columns = [
  'span',
  'provider_message_id',
  'message_id',
  'place',
  'line',
  'status',
  'recipient',
  'chat_type',
  'content',
  'sender_source',
  'is_new_chat',
  'may_move',
  'moves',
  'is_moving',
  'queued_at',
  'expires_at',
  'handed_to',
  'handed_at',
  'sent_at',
  'delivered_at',
  'read_at',
  'failed_at',
  'error_message',
  'events',
  'last_seq',
  'confirmed_before',
  'pace_turn',
  'pace',
] as const;
const insertSql = `INSERT INTO messages (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
const useAgainSql = `UPDATE messages SET ${columns.map((column) => `${column} = ?`).join(', ')}
  WHERE span = ? AND provider_message_id = ?`;

/**
 * Stores a message: in a row of its own, or in that of one whose time is over. It stands in line unless it is handed over
 * at once.
 */
export function insertMessage(
  sql: SqlStorage,
  message: OutboundMessageState,
  handOver: HandOver | null,
  { events, lastSeq, confirmedBefore }: EventColumns,
  outdated: [span: number, providerMessageId: string] | null,
): void {
  const row: Record<(typeof columns)[number], SqlStorageValue> = {
    span: spanOf(message.queuedAt),
    provider_message_id: message.providerMessageId,
    message_id: message.messageId,
    place: message.place,
    line: handOver === null ? message.place : null,
    status: message.status,
    recipient: message.to,
    chat_type: message.chatType,
    content: JSON.stringify(message.content),
    sender_source: message.senderSource,
    is_new_chat: message.isNewChat ? 1 : 0,
    may_move: message.mayMove ? 1 : 0,
    moves: message.moves,
    is_moving: 0,
    queued_at: message.queuedAt,
    expires_at: message.expiresAt,
    handed_to: handOver?.handedTo ?? null,
    handed_at: handOver?.handedAt ?? null,
    sent_at: null,
    delivered_at: null,
    read_at: null,
    failed_at: null,
    error_message: null,
    events,
    last_seq: lastSeq,
    confirmed_before: confirmedBefore,
    pace_turn: handOver?.pace?.turn ?? null,
    pace: handOver?.pace?.json ?? null,
  };
  const values = columns.map((column) => row[column]);
  if (outdated === null) sql.exec(insertSql, ...values);
  else sql.exec(useAgainSql, ...values, ...outdated);
}

/** Writes what a climb has changed. */
export function updateMessage(
  sql: SqlStorage,
  message: OutboundMessageState,
  { events, lastSeq, confirmedBefore }: EventColumns,
): void {
  sql.exec(
    `UPDATE messages SET place = ?, line = ?, status = ?, sent_at = ?, delivered_at = ?, read_at = ?, failed_at = ?,
       error_message = ?, events = ?, last_seq = ?, confirmed_before = ? WHERE span = ? AND provider_message_id = ?`,
    message.place,
    message.place,
    message.status,
    message.sentAt,
    message.deliveredAt,
    message.readAt,
    message.failedAt,
    message.errorMessage,
    events,
    lastSeq,
    confirmedBefore,
    spanOf(message.queuedAt),
    message.providerMessageId,
  );
}
