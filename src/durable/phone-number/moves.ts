import { type MessageKey, selectMessages, spanOf } from './message-rows.ts';
import { type AdmittedMessage, type OutboundMessageState, providerMessageIdOf } from './outbound-message.ts';

/** Messages on their way from this number to another one of the account, and what has gone on from here. */
export class Moves {
  readonly #sql: SqlStorage;
  /** How many the account is being asked about; null: to be counted. */
  #count: number | null = null;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Those that the account may be asked to take elsewhere and that certainly never left, in order. */
  movable(newChatsOnly: boolean, limit: number): OutboundMessageState[] {
    return selectMessages(
      this.#sql,
      `WHERE line > 0 AND may_move = 1 AND is_moving = 0 AND handed_to IS NULL
         AND (is_new_chat = 1 AND chat_type = 'personal' OR NOT ?) ORDER BY line LIMIT ?`,
      newChatsOnly ? 1 : 0,
      limit,
    );
  }

  /** Those that the account is being asked about, in order. */
  moving(limit: number): OutboundMessageState[] {
    return this.count === 0
      ? []
      : selectMessages(this.#sql, 'WHERE line > 0 AND is_moving = 1 ORDER BY line LIMIT ?', limit);
  }

  get count(): number {
    this.#count ??= this.#sql
      .exec<{ count: number }>('SELECT count(*) AS count FROM messages WHERE line > 0 AND is_moving = 1')
      .one().count;
    return this.#count;
  }

  /** From then on it is not sent from here. */
  mark({ queuedAt, providerMessageId }: MessageKey): void {
    this.#count = null;
    this.#sql.exec(
      'UPDATE messages SET is_moving = 1 WHERE span = ? AND provider_message_id = ?',
      spanOf(queuedAt),
      providerMessageId,
    );
  }

  /** The account has no other number for it: it waits here again. */
  stay(message: AdmittedMessage): void {
    this.#count = null;
    this.#sql.exec(
      'UPDATE messages SET is_moving = 0 WHERE span = ? AND provider_message_id = ?',
      spanOf(message.queuedAt),
      providerMessageIdOf(message.messageId),
    );
  }

  /** Another number has it. `message` as it was handed on; one that has come back since stays. */
  moveAway({ messageId, moves, queuedAt }: AdmittedMessage): void {
    this.#count = null;
    this.#sql.exec('INSERT OR REPLACE INTO moved (message_id, moves) VALUES (?, ?)', messageId, moves);
    this.#sql.exec(
      'DELETE FROM messages WHERE span = ? AND provider_message_id = ? AND is_moving = 1 AND moves < ?',
      spanOf(queuedAt),
      providerMessageIdOf(messageId),
      moves,
    );
  }

  /** It was given back to this number while it was still here. */
  takeBack({ messageId, moves, queuedAt }: AdmittedMessage): void {
    this.#count = null;
    this.#sql.exec(
      'UPDATE messages SET is_moving = 0, moves = ? WHERE span = ? AND provider_message_id = ?',
      moves,
      spanOf(queuedAt),
      providerMessageIdOf(messageId),
    );
  }

  /** With how many moves a message has gone on from here; null for one that never has. */
  movesOfGone(messageId: string): number | null {
    return (
      this.#sql
        .exec<{ moves: number }>('SELECT moves FROM moved WHERE message_id = ?', messageId)
        .toArray()[0]?.moves ?? null
    );
  }

  /** After a transaction that was rolled back. */
  reload(): void {
    this.#count = null;
  }
}
