import type { EventSource, EventsQueueMessage, RelayedEvent } from './relayed-events.ts';

/** What an object hands to its relay; the relay gives it its place. */
export type UnplacedEvent = Omit<RelayedEvent, 'seq'>;

/** How long the consumer may take to confirm before the events are sent to the queue once more. */
const relayResendMs = 15_000;
/** Characters of JSON in one queue message: in the worst encoding still below the 128 KB that a queue takes. */
const messageCharactersMax = 40_000;

/**
 * The way of an object's events to the queue. They are stored in the transaction of the change that they tell of, and
 * forgotten only when the consumer has confirmed them; so neither a lost queue nor a lost object loses one.
 */
export class EventRelay {
  readonly #sql: SqlStorage;
  readonly #queue: Queue;
  readonly #head: () => { accountId: string; source: EventSource };
  #lastSeq: number;
  /** When each row was last given to the queue, in this life of the object. */
  readonly #sentAt = new Map<number, number>();
  /** Rows up to here have been given to the queue at least once in this life, or wait for the resend timer. */
  #sentThrough = 0;
  #flushing: Promise<void> | null = null;

  constructor(sql: SqlStorage, queue: Queue, head: () => { accountId: string; source: EventSource }) {
    this.#sql = sql;
    this.#queue = queue;
    this.#head = head;
    this.#lastSeq = sql.exec<{ seq: number | null }>('SELECT max(seq) AS seq FROM relay').one().seq ?? 0;
  }

  /** Stores events, in order. Call inside the transaction of the change; `flush` after it. */
  append(events: readonly UnplacedEvent[], now: number): void {
    let chunk: string[] = [];
    let characters = 0;
    const store = () => {
      if (chunk.length === 0) return;
      // Rising with the clock, so that a seq is never used twice, not even once the table is empty again: a late
      // confirmation must not take a new event with it.
      this.#lastSeq = Math.max(this.#lastSeq + 1, now * 1000);
      this.#sql.exec('INSERT INTO relay (seq, events) VALUES (?, ?)', this.#lastSeq, `[${chunk.join(',')}]`);
      chunk = [];
      characters = 0;
    };
    for (const event of events) {
      const json = JSON.stringify(event);
      if (characters + json.length > messageCharactersMax) store();
      chunk.push(json);
      characters += json.length;
    }
    store();
  }

  /** Gives the queue once more what it was given too long ago. Never throws. */
  resend(onError: (error: unknown) => void): Promise<void> {
    this.#sentThrough = 0;
    return this.flush(onError);
  }

  /** Gives everything that waits to the queue; what comes in meanwhile goes with the next round. Never throws. */
  flush(onError: (error: unknown) => void): Promise<void> {
    this.#flushing ??= this.#drain(onError).finally(() => {
      this.#flushing = null;
    });
    return this.#flushing;
  }

  async #drain(onError: (error: unknown) => void): Promise<void> {
    for (;;) {
      const message = this.#nextMessage(Date.now());
      if (message === null) return;
      try {
        await this.#queue.send(message, { contentType: 'json' });
      } catch (error) {
        onError(error);
        return;
      }
    }
  }

  /** What waits, packed: a queue is paid and paced by the message. Under load, more comes in while one is sent. */
  #nextMessage(now: number): EventsQueueMessage | null {
    const packed: RelayedEvent[] = [];
    let characters = 0;
    const rows = this.#sql.exec<{ seq: number; events: string }>(
      'SELECT seq, events FROM relay WHERE seq > ? ORDER BY seq',
      this.#sentThrough,
    );
    for (const { seq, events } of rows) {
      if (now - (this.#sentAt.get(seq) ?? 0) < relayResendMs) continue;
      if (packed.length > 0 && characters + events.length > messageCharactersMax) break;
      characters += events.length;
      this.#sentThrough = seq;
      this.#sentAt.set(seq, now);
      for (const event of JSON.parse(events) as UnplacedEvent[]) packed.push({ seq, ...event });
    }
    return packed.length === 0 ? null : { ...this.#head(), events: packed };
  }

  /** The consumer has stored these: forget them. Repeats and unknown ones change nothing. */
  confirm(seqs: readonly number[]): void {
    for (const seq of new Set(seqs)) {
      this.#sql.exec('DELETE FROM relay WHERE seq = ?', seq);
      this.#sentAt.delete(seq);
    }
  }

  get isEmpty(): boolean {
    return this.#sql.exec('SELECT 1 FROM relay LIMIT 1').toArray().length === 0;
  }

  /** When the oldest unconfirmed event is to be sent again; null when nothing waits. */
  resendAt(): number | null {
    const oldest = this.#sql.exec<{ seq: number | null }>('SELECT min(seq) AS seq FROM relay').one().seq;
    if (oldest === null) return null;
    return (this.#sentAt.get(oldest) ?? Math.floor(oldest / 1000)) + relayResendMs;
  }
}
