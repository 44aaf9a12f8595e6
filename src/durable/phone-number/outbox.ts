import { timeOf } from '../message-ids.ts';
import type { MessageEvents } from './message-events.ts';
import {
  findMessage,
  findMessageAt,
  type HandOver,
  insertMessage,
  type MessageKey,
  type MessageRow,
  selectMessages,
  spanOf,
  updateMessage,
} from './message-rows.ts';
import {
  type AdmittedMessage,
  admitted,
  type OutboundMessageState,
  providerMessageIdOf,
} from './outbound-message.ts';
import type { Step } from './step-events.ts';
import type { Waiting } from './turn.ts';

/** How long the row of a settled message is kept: receipts, and the network's questions about it, may come that late. */
const settledKeptMs = 30 * 24 * 3600 * 1000;
/** Rows forgotten in one slice. */
const sweptMax = 1_000;
/** Settled before a span, and with nothing to be told that is not confirmed: all places before the second value are. */
const whereOutdated = 'WHERE span < ? AND place IS NULL AND (last_seq IS NULL OR last_seq < ?)';

/** A waiting message as far as its turn depends on it: its content is read only once it leaves. */
export interface WaitingMessage extends Waiting, MessageKey {
  place: number;
  to: string;
  expiresAt: number;
}

/**
 * The outbound messages of a number, those that wait and those whose receipts may still come. What waits stands in line;
 * but a message that is handed over as it is stored only does so once it has no answer in time, or something else has
 * come between: until then it is known in memory, and by its row, alone.
 */
export class Outbox {
  readonly #sql: SqlStorage;
  readonly #events: MessageEvents;
  #lastPlace: number;
  /** The places of those under way that do not stand in line, by the network's id. All are of one span. */
  readonly #outOfLine = new Map<string, number>();
  #outOfLineSpan = 0;
  /** See {@link uncountedWaiting}; null: to be counted. */
  #uncounted: number | null = null;

  constructor(sql: SqlStorage, events: MessageEvents) {
    this.#sql = sql;
    this.#events = events;
    this.#lineUpStored();
    this.#lastPlace =
      sql.exec<{ line: number | null }>('SELECT max(line) AS line FROM messages').one().line ?? 0;
  }

  /** A message as it is to be stored: behind all that wait; one that comes from another number where its age belongs. */
  placed(message: AdmittedMessage): OutboundMessageState {
    const ownPlace = message.queuedAt * 1000;
    const place = message.moves > 0 ? this.#freePlace(ownPlace) : Math.max(this.#lastPlace + 1, ownPlace);
    this.#lastPlace = Math.max(this.#lastPlace, place);
    return admitted(message, place);
  }

  /** Stores a message with events of its own at the place `seq`, if any. Call inside the transaction that places them. */
  add(
    state: OutboundMessageState,
    now: number,
    handOver: HandOver | null,
    seq: number | null,
    steps: readonly Step[],
  ): void {
    if (this.#uncounted !== null && handOver === null) this.#uncounted += 1;
    const span = spanOf(state.queuedAt);
    if (span !== this.#outOfLineSpan) this.lineUp();
    this.#outOfLineSpan = span;
    if (handOver !== null && state.place !== null) this.#outOfLine.set(state.providerMessageId, state.place);
    const columns = this.#events.columns(state, seq, steps);
    insertMessage(this.#sql, state, handOver, columns, this.#outdated(now));
  }

  /** All that is under way stands in line from now on: no answer may come to it. */
  lineUp(): void {
    if (this.#outOfLine.size > 0) this.#lineUpStored();
    this.#outOfLine.clear();
  }

  /** Those that an earlier life, or a memory that is not to be trusted, has left out of line. */
  #lineUpStored(): void {
    this.#sql.exec(
      `UPDATE messages SET line = place
       WHERE span >= (SELECT max(span) FROM messages) - 1 AND place IS NOT NULL AND line IS NULL`,
    );
  }

  /** A row whose time is over: used again, it need not be deleted, which costs as much as writing it. */
  #outdated(now: number): [span: number, providerMessageId: string] | null {
    const [row] = this.#sql
      .exec<{ span: number; provider_message_id: string }>(
        `SELECT span, provider_message_id FROM messages ${whereOutdated} LIMIT 1`,
        spanOf(now - settledKeptMs),
        this.#events.confirmedBefore,
      )
      .toArray();
    return row ? [row.span, row.provider_message_id] : null;
  }

  /** No message has a place behind this one. */
  get lastPlace(): number {
    return this.#lastPlace;
  }

  /** At once, also that it is not there. */
  findAt(key: MessageKey): OutboundMessageState | null {
    return findMessageAt(this.#sql, key);
  }

  /** By the network's id alone. */
  find(providerMessageId: string): OutboundMessageState | null {
    return findMessage(this.#sql, providerMessageId);
  }

  /** By its own id, which says when it was queued. */
  findById(messageId: string): OutboundMessageState | null {
    const providerMessageId = providerMessageIdOf(messageId);
    return this.findAt({ queuedAt: timeOf(messageId), providerMessageId }) ?? this.find(providerMessageId);
  }

  /** Writes what a climb has changed, with the events of its steps where they ride at the place `seq`. */
  save(message: OutboundMessageState, seq: number | null, steps: readonly Step[]): void {
    this.#uncounted = null;
    this.#outOfLine.delete(message.providerMessageId);
    updateMessage(this.#sql, message, this.#events.columns(message, seq, steps));
  }

  /** Notes who has it now. */
  noteHandOver(message: MessageKey, { handedTo, handedAt, pace }: HandOver): void {
    this.#uncounted = null;
    const paced = pace === null ? '' : ', pace_turn = ?, pace = ?';
    this.#sql.exec(
      `UPDATE messages SET handed_to = ?, handed_at = ?${paced} WHERE span = ? AND provider_message_id = ?`,
      handedTo,
      handedAt,
      ...(pace === null ? [] : [pace.turn, pace.json]),
      spanOf(message.queuedAt),
      message.providerMessageId,
    );
  }

  /** It came back and certainly never left. */
  noteReturned(message: MessageKey): void {
    this.#uncounted = null;
    this.#outOfLine.delete(message.providerMessageId);
    this.#sql.exec(
      'UPDATE messages SET line = place, handed_to = NULL, handed_at = NULL WHERE span = ? AND provider_message_id = ?',
      spanOf(message.queuedAt),
      message.providerMessageId,
    );
  }

  /** Those that wait and are over their time at `now`, in order; at most `limit`. What is under way stands in line from then on. */
  expired(now: number, limit: number): OutboundMessageState[] {
    this.lineUp();
    return selectMessages(
      this.#sql,
      'WHERE line > 0 AND is_moving = 0 AND expires_at <= ? ORDER BY line LIMIT ?',
      now,
      limit,
    );
  }

  /** It has waited too long for an answer; the bridge still has it. */
  noteOverdue(providerMessageId: string): void {
    const message = this.find(providerMessageId);
    if (!message) return;
    this.#outOfLine.delete(providerMessageId);
    this.#sql.exec(
      'UPDATE messages SET line = place, handed_at = NULL WHERE span = ? AND provider_message_id = ?',
      spanOf(message.queuedAt),
      providerMessageId,
    );
  }

  /** Those that a bridge was handed since a time and that are still under way, the oldest hand-over first. */
  handedSince(since: number, bridgeId: string): { providerMessageId: string; handedAt: number }[] {
    return this.#sql
      .exec<{ provider_message_id: string; handed_at: number }>(
        `SELECT provider_message_id, handed_at FROM messages
         WHERE line > 0 AND handed_to = ? AND handed_at >= ? ORDER BY handed_at, line`,
        bridgeId,
        since,
      )
      .toArray()
      .map((row) => ({ providerMessageId: row.provider_message_id, handedAt: row.handed_at }));
  }

  /** Those in line that were handed over and still wait for an answer, in order; at most `limit`. */
  unanswered(limit: number): OutboundMessageState[] {
    return selectMessages(this.#sql, 'WHERE line > 0 AND handed_to IS NOT NULL ORDER BY line LIMIT ?', limit);
  }

  /** Every message has the same time to live, so the first in line is the first to expire. */
  firstExpiry(): number | null {
    return (
      this.#sql
        .exec<{ expires_at: number }>(
          'SELECT expires_at FROM messages WHERE line > 0 AND is_moving = 0 ORDER BY line LIMIT 1',
        )
        .toArray()[0]?.expires_at ?? null
    );
  }

  /** Those that wait behind `place`, in order; at most `limit`. */
  turnsAfter(place: number, limit: number): WaitingMessage[] {
    return this.#sql
      .exec<
        Pick<
          MessageRow,
          'provider_message_id' | 'recipient' | 'chat_type' | 'is_new_chat' | 'queued_at' | 'expires_at'
        > & { place: number; handed: number }
      >(
        `SELECT provider_message_id, place, recipient, chat_type, is_new_chat, queued_at, expires_at,
           handed_to IS NOT NULL AS handed
         FROM messages WHERE line > ? AND is_moving = 0 ORDER BY line LIMIT ?`,
        place,
        limit,
      )
      .toArray()
      .map((row) => ({
        providerMessageId: row.provider_message_id,
        queuedAt: row.queued_at,
        place: row.place,
        to: row.recipient,
        chatType: row.chat_type,
        isNewChat: row.is_new_chat === 1,
        hasBeenHanded: row.handed === 1,
        expiresAt: row.expires_at,
      }));
  }

  /** How many wait, up to a place or in all. */
  countWaiting(upTo = Number.MAX_SAFE_INTEGER): number {
    const outOfLine = [...this.#outOfLine.values()].filter((place) => place <= upTo).length;
    const { count } = this.#sql
      .exec<{ count: number }>('SELECT count(*) AS count FROM messages WHERE line > 0 AND line <= ?', upTo)
      .one();
    return count + outOfLine;
  }

  /** Those that wait and that no day has counted yet, since they were never handed over. */
  get uncountedWaiting(): number {
    this.#uncounted ??= this.#sql
      .exec<{ count: number }>('SELECT count(*) AS count FROM messages WHERE line > 0 AND handed_to IS NULL')
      .one().count;
    return this.#uncounted;
  }

  /** Messages have moved away. */
  recount(): void {
    this.#uncounted = null;
  }

  /** After a transaction that was rolled back: only the rows know what waits. */
  reload(): void {
    this.#uncounted = null;
    this.#lineUpStored();
    this.#outOfLine.clear();
  }

  /** Forgets a slice of the messages that have been settled for long; true once there are no more. */
  sweep(now: number): boolean {
    const { rowsWritten } = this.#sql.exec(
      `DELETE FROM messages WHERE (span, provider_message_id) IN (
         SELECT span, provider_message_id FROM messages ${whereOutdated} LIMIT ?)`,
      spanOf(now - settledKeptMs),
      this.#events.confirmedBefore,
      sweptMax,
    );
    return rowsWritten < sweptMax;
  }

  /** A message that the account has given up on: its `enqueue`, should it still come, is refused. */
  disown(messageId: string, now: number): void {
    this.#sql.exec('INSERT OR IGNORE INTO disowned (message_id, at) VALUES (?, ?)', messageId, now);
  }

  isDisowned(messageId: string): boolean {
    return this.#sql.exec('SELECT 1 FROM disowned WHERE message_id = ?', messageId).toArray().length > 0;
  }

  #freePlace(from: number): number {
    let place = from;
    while (this.#sql.exec('SELECT 1 FROM messages WHERE line = ?', place).toArray().length > 0) place += 1;
    return place;
  }
}
