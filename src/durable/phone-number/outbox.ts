import type { ChatType, MessageStatus, SenderSource } from '../../contract/message.ts';
import { type AdmittedMessage, admitted, type OutboundMessageState } from './outbound-message.ts';

/** A row of `messages`. */
type Row = {
  provider_message_id: string;
  message_id: string;
  place: number | null;
  status: MessageStatus;
  recipient: string;
  chat_type: ChatType;
  content: string;
  sender_source: SenderSource;
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

/** The outbound messages of a number, those that wait and those whose receipts may still come. */
export class Outbox {
  readonly #sql: SqlStorage;
  #lastPlace: number;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#lastPlace =
      sql.exec<{ place: number | null }>('SELECT max(place) AS place FROM messages').one().place ?? 0;
  }

  /** Stores a message behind all that wait. Call inside the transaction that also stores its event. */
  add(message: AdmittedMessage): OutboundMessageState {
    this.#lastPlace = Math.max(this.#lastPlace + 1, message.queuedAt * 1000);
    const state = admitted(message, this.#lastPlace);
    this.#sql.exec(
      `INSERT INTO messages (provider_message_id, message_id, place, status, recipient, chat_type, content,
         sender_source, queued_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      state.providerMessageId,
      state.messageId,
      state.place,
      state.status,
      state.to,
      state.chatType,
      JSON.stringify(state.content),
      state.senderSource,
      state.queuedAt,
      state.expiresAt,
    );
    return state;
  }

  find(providerMessageId: string): OutboundMessageState | null {
    return this.#select('WHERE provider_message_id = ?', providerMessageId)[0] ?? null;
  }

  /** Writes what a climb has changed. */
  save(message: OutboundMessageState): void {
    this.#sql.exec(
      `UPDATE messages SET place = ?, status = ?, sent_at = ?, delivered_at = ?, read_at = ?, failed_at = ?,
         error_message = ? WHERE provider_message_id = ?`,
      message.place,
      message.status,
      message.sentAt,
      message.deliveredAt,
      message.readAt,
      message.failedAt,
      message.errorMessage,
      message.providerMessageId,
    );
  }

  /** Notes who has it now; null when it came back and certainly never left. */
  noteHolder(providerMessageId: string, handedTo: string | null, handedAt: number | null): void {
    this.#sql.exec(
      'UPDATE messages SET handed_to = ?, handed_at = ? WHERE provider_message_id = ?',
      handedTo,
      handedAt,
      providerMessageId,
    );
  }

  /** Those that wait behind `place`, in order; at most `limit`. */
  waitingAfter(place: number, limit: number): OutboundMessageState[] {
    return this.#select('WHERE place > ? ORDER BY place LIMIT ?', place, limit);
  }

  /** Every message has the same time to live, so the first in line is the first to expire. */
  firstExpiry(): number | null {
    return this.#select('WHERE place > 0 ORDER BY place LIMIT 1')[0]?.expiresAt ?? null;
  }

  /** Notes a message that failed before it left, for the account to take off its count. */
  addGiveBack({ messageId, queuedAt }: OutboundMessageState): void {
    this.#sql.exec(
      'INSERT OR IGNORE INTO give_backs (message_id, queued_at) VALUES (?, ?)',
      messageId,
      queuedAt,
    );
  }

  /** At most `limit` of them. */
  giveBacks(limit: number): { messageId: string; queuedAt: number }[] {
    return this.#sql
      .exec<{ message_id: string; queued_at: number }>('SELECT * FROM give_backs LIMIT ?', limit)
      .toArray()
      .map((row) => ({ messageId: row.message_id, queuedAt: row.queued_at }));
  }

  forgetGiveBacks(messages: readonly { messageId: string }[]): void {
    for (const { messageId } of messages)
      this.#sql.exec('DELETE FROM give_backs WHERE message_id = ?', messageId);
  }

  /** A message that the account has given up on: its `enqueue`, should it still come, is refused. */
  disown(messageId: string, now: number): void {
    this.#sql.exec('INSERT OR IGNORE INTO disowned (message_id, at) VALUES (?, ?)', messageId, now);
  }

  isDisowned(messageId: string): boolean {
    return this.#sql.exec('SELECT 1 FROM disowned WHERE message_id = ?', messageId).toArray().length > 0;
  }

  #select(where: string, ...bindings: (string | number)[]): OutboundMessageState[] {
    return this.#sql
      .exec<Row>(`SELECT * FROM messages ${where}`, ...bindings)
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
}
