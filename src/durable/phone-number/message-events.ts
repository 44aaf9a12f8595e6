import type { Riders, UnplacedEvent } from '../event-relay.ts';
import { type EventColumns, findMessageAt, type MessageKey, spanOf } from './message-rows.ts';
import type { OutboundMessageState } from './outbound-message.ts';
import type { HeldPace } from './sender-pace.ts';
import { eventOf, type PlacedStep, type Step } from './step-events.ts';

/** Rows this many spans older than the newest message's, and younger ones, may hold events of their own. */
const ridingSpans = 1;
/** As many unsent steps are kept in memory beside their rows. */
const keptMax = 500;

/** Where events ride, and whether it is worth a row to write down that they are confirmed. */
interface Ride {
  key: MessageKey;
  isLast: boolean;
  /** What is to be told, until it was given to the queue once: the row need not be read for it. */
  untold: { message: OutboundMessageState; steps: readonly Step[] } | null;
}

/** Keeps how far all events are confirmed, without a row; what it forgets is sent once more, and changes nothing. */
export interface ConfirmedMark {
  readonly confirmedBefore: number;
  /** False when there is nowhere to keep it. */
  noteConfirmed(before: number): boolean;
}

const noMark: ConfirmedMark = { confirmedBefore: 0, noteConfirmed: () => false };

/**
 * The events of a message's own steps, in the message's own row: each step writes that row anyway. A row keeps those
 * that are not known to be confirmed when it is written, and notes how far all are (`confirmed_before`), as the
 * mark does between such writes. After a crash the rows of the newest spans say what is left to send; it may be confirmed
 * already, which changes nothing there. So only rows of these spans may hold any: the events of older messages go through
 * rows of the relay, and what is unconfirmed in a row that falls behind is copied there.
 */
export class MessageEvents implements Riders {
  readonly #sql: SqlStorage;
  readonly #numberId: () => { accountId: string; numberId: string };
  readonly #mark: ConfirmedMark;
  /** Unconfirmed, in order. */
  readonly #waiting = new Map<number, Ride>();
  /** The newest span that has had a row; null: to be looked up. */
  #newest: number | null = null;
  readonly left: readonly number[];
  readonly lastSeq: number;

  constructor(
    sql: SqlStorage,
    numberId: () => { accountId: string; numberId: string },
    mark: ConfirmedMark = noMark,
  ) {
    this.#sql = sql;
    this.#numberId = numberId;
    this.#mark = mark;
    const floor = this.#floor() ?? 0;
    const stored = sql
      .exec<{ before: number | null; last: number | null }>(
        'SELECT max(confirmed_before) AS before, max(last_seq) AS last FROM messages WHERE span >= ?',
        floor,
      )
      .one();
    const before = Math.max(stored.before ?? 0, mark.confirmedBefore);
    const steps = sql
      .exec<{ queued_at: number; provider_message_id: string; events: string }>(
        'SELECT queued_at, provider_message_id, events FROM messages WHERE span >= ? AND last_seq >= ?',
        floor,
        before,
      )
      .toArray()
      .flatMap((row) => {
        const key = { queuedAt: row.queued_at, providerMessageId: row.provider_message_id };
        return (JSON.parse(row.events) as PlacedStep[]).map(({ seq }) => ({ seq, key }));
      })
      .filter(({ seq }) => seq >= before)
      .sort((a, b) => a.seq - b.seq);
    for (const { seq, key } of steps) this.#waiting.set(seq, { key, isLast: true, untold: null });
    this.left = [...this.#waiting.keys()];
    this.lastSeq = Math.max(before, stored.last ?? 0);
  }

  /** Whether events of this message may ride in its row. Call once the row is there. */
  mayRide({ queuedAt }: MessageKey): boolean {
    return spanOf(queuedAt) >= (this.#floor() ?? 0);
  }

  /**
   * What a write of the message's row is to store: what it holds and is not known to be confirmed, and `steps` at
   * their place. Call inside the transaction of that write.
   */
  columns(message: OutboundMessageState, seq: number | null, steps: readonly Step[]): EventColumns {
    const kept = message.untold.filter((step) => this.#waiting.has(step.seq));
    const all = seq === null ? kept : [...kept, ...steps.map((step) => ({ seq, ...step }))];
    const { queuedAt, providerMessageId } = message;
    const isLast = message.status === 'read' || message.status === 'failed';
    if (seq !== null) {
      const untold = this.#waiting.size < keptMax ? { message, steps } : null;
      this.#waiting.set(seq, { key: { queuedAt, providerMessageId }, isLast, untold });
    }
    if (this.#newest !== null) this.#newest = Math.max(this.#newest, spanOf(queuedAt));
    const [oldest] = this.#waiting.keys();
    return {
      events: all.length === 0 ? null : JSON.stringify(all),
      lastSeq: all.at(-1)?.seq ?? null,
      confirmedBefore: oldest ?? 0,
    };
  }

  /** Whether a row is among those that a later life looks at, and is no more once a message of this time is stored. */
  fallsBehind(key: MessageKey, queuedAt: number): boolean {
    const span = spanOf(key.queuedAt);
    const floor = this.#floor();
    return floor !== null && span >= floor && span < spanOf(queuedAt) - ridingSpans;
  }

  /** The unconfirmed events of rows that fall behind: they are to be copied. */
  fallingBehind(queuedAt: number): UnplacedEvent[] {
    const floor = this.#floor();
    if (floor === null || spanOf(queuedAt) - ridingSpans <= floor) return [];
    const falling = [...this.#waiting].filter(([, { key }]) => this.fallsBehind(key, queuedAt));
    return falling.flatMap(([seq]) => this.#read(seq) ?? []);
  }

  /** The pace of the latest turn among those that stand in rows of messages; null when none does. */
  newestPace(): HeldPace | null {
    const [row] = this.#sql
      .exec<{ queued_at: number; provider_message_id: string; pace: string }>(
        `SELECT queued_at, provider_message_id, pace FROM messages
         WHERE span >= ? AND pace_turn IS NOT NULL ORDER BY pace_turn DESC LIMIT 1`,
        this.#floor() ?? 0,
      )
      .toArray();
    return row
      ? { key: { queuedAt: row.queued_at, providerMessageId: row.provider_message_id }, json: row.pace }
      : null;
  }

  /** The unconfirmed events of a message, for when its row goes. */
  eventsOf({ providerMessageId }: MessageKey): UnplacedEvent[] {
    const own = [...this.#waiting].filter(([, { key }]) => key.providerMessageId === providerMessageId);
    return own.flatMap(([seq]) => this.#read(seq) ?? []);
  }

  /** No event in a row with a lower place is unconfirmed. */
  get confirmedBefore(): number {
    const [oldest] = this.#waiting.keys();
    return oldest ?? Number.MAX_SAFE_INTEGER;
  }

  eventsAt(seq: number): UnplacedEvent[] | null {
    const ride = this.#waiting.get(seq);
    if (ride?.untold) {
      const { message, steps } = ride.untold;
      ride.untold = null;
      return steps.map((step) => eventOf(step, message, this.#numberId()));
    }
    const events = this.#read(seq);
    if (events === null) this.#waiting.delete(seq);
    return events;
  }

  /**
   * Known in memory and by the mark alone, until another row is written. Where no mark can be made one is written for it
   * if nothing is left to come, or if it was not known once already: or each life of the object would send it again.
   */
  confirm(seq: number, lastSeq: number): void {
    const ride = this.#waiting.get(seq);
    this.#waiting.delete(seq);
    if (!ride || this.#waiting.size > 0 || this.#mark.noteConfirmed(lastSeq + 1) || !ride.isLast) return;
    this.#sql.exec(
      `UPDATE messages SET events = NULL, last_seq = NULL, confirmed_before = ?
       WHERE span = ? AND provider_message_id = ?`,
      lastSeq + 1,
      spanOf(ride.key.queuedAt),
      ride.key.providerMessageId,
    );
  }

  /** After a transaction that was rolled back: only the rows know what is to be told. */
  reload(): void {
    this.#newest = null;
    for (const ride of this.#waiting.values()) ride.untold = null;
  }

  #read(seq: number): UnplacedEvent[] | null {
    const key = this.#waiting.get(seq)?.key;
    const message = key && findMessageAt(this.#sql, key);
    const steps = message?.untold.filter((step) => step.seq === seq) ?? [];
    if (!message || steps.length === 0) return null;
    return steps.map((step) => eventOf(step, message, this.#numberId()));
  }

  /** The oldest span whose rows may hold events; null without any messages. */
  #floor(): number | null {
    this.#newest ??= this.#sql
      .exec<{ newest: number | null }>('SELECT max(span) AS newest FROM messages')
      .one().newest;
    return this.#newest === null ? null : this.#newest - ridingSpans;
  }
}
