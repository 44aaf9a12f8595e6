import { EventRoute, type EventWays } from './event-route.ts';
import { RelayRows } from './relay-rows.ts';
import type { EventSource, EventsQueueMessage, RelayedEvent } from './relayed-events.ts';

/** What an object hands to its relay; the relay gives it its place. */
export type UnplacedEvent = Omit<RelayedEvent, 'seq'>;

/** How long the consumer may take to confirm before the events are sent to the queue once more, and how long at most. */
const relayResendMs = 15_000;
const relayResendMsMax = 600_000;
/** The weight of the latest confirmation where they come sooner again. */
const soonerWeight = 1 / 8;
/** Characters of JSON in one queue message: in the worst encoding still below the 128 KB that a queue takes. */
const messageCharactersMax = 40_000;

/**
 * Events that ride in rows of the object's own, which are written anyway: it keeps and rebuilds them, the relay gives
 * them their place in the order of all and takes them to the consumer.
 */
export interface Riders {
  /** Places whose events are not known to be confirmed, as an earlier life has left them. */
  readonly left: readonly number[];
  /** The highest place that any of them ever had, as far as is known; 0: there was none. */
  readonly lastSeq: number;
  /** The events at this place; null when its transaction came to nothing. */
  eventsAt(seq: number): UnplacedEvent[] | null;
  /** The consumer has stored them. `lastSeq`: no event has a higher place yet. */
  confirm(seq: number, lastSeq: number): void;
}

/** When a place's events were given to their consumer in this life of the object, first and last; 0: not yet. */
interface Sent {
  firstAt: number;
  lastAt: number;
}

const neverSent: Sent = { firstAt: 0, lastAt: 0 };

const noRiders: Riders = { left: [], lastSeq: 0, eventsAt: () => null, confirm: () => {} };

/**
 * Takes an object's events to their consumer, the way that the route says; what it may have had before goes through the
 * queue. They are stored in the transaction of the change that they tell of, and forgotten only when the consumer has
 * confirmed them; so neither a lost call, nor a lost queue, nor a lost object loses one.
 */
export class EventRelay {
  readonly #rows: RelayRows;
  readonly #ways: EventWays;
  readonly #head: () => { accountId: string; source: EventSource };
  readonly #riders: Riders;
  #lastSeq: number;
  /** Unconfirmed places, in order. */
  readonly #waiting = new Map<number, Sent>();
  /** Unconfirmed places that the consumer is to be given, in order. */
  #unsent: number[];
  /** Up to here an earlier life may have given them already. */
  readonly #leftUpTo: number;
  readonly #route = new EventRoute();
  #flushing: Promise<void> | null = null;
  /**
   * What is not confirmed by then is sent again. A queue that has fallen behind would only fall further behind by it: so
   * this follows the time that confirmations take, and grows with each time that it did not help.
   */
  #resendMs = relayResendMs;

  constructor(
    sql: SqlStorage,
    ways: EventWays,
    head: () => { accountId: string; source: EventSource },
    riders: Riders = noRiders,
  ) {
    this.#rows = new RelayRows(sql);
    this.#ways = ways;
    this.#head = head;
    this.#riders = riders;
    this.#lastSeq = Math.max(this.#rows.lastSeq, riders.lastSeq);
    this.#leftUpTo = this.#lastSeq;
    this.#unsent = [...this.#rows.waiting, ...riders.left].sort((a, b) => a - b);
    for (const seq of this.#unsent) this.#waiting.set(seq, { ...neverSent });
  }

  /** Stores events, in order. Call inside the transaction of the change; `flush` after it. */
  append(events: readonly UnplacedEvent[], now: number): void {
    let chunk: string[] = [];
    let characters = 0;
    const store = () => {
      if (chunk.length > 0) this.#rows.store(this.place(now), `[${chunk.join(',')}]`);
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

  /**
   * A place behind all others for events that ride, to be stored with them. Call inside the transaction of the change;
   * `flush` after it.
   */
  place(now: number): number {
    // Rising with the clock, so that a seq is never used twice, not even by an object that has lost its rows: a late
    // confirmation must not take a new event with it.
    this.#lastSeq = Math.max(this.#lastSeq + 1, now * 1000);
    this.#waiting.set(this.#lastSeq, { ...neverSent });
    this.#unsent.push(this.#lastSeq);
    return this.#lastSeq;
  }

  /** Gives the queue once more what it was given too long ago. Never throws. */
  resend(onError: (error: unknown) => void): Promise<void> {
    const before = Date.now() - this.#resendMs;
    const overdue = [...this.#waiting].filter(([, { lastAt }]) => lastAt <= before);
    this.#unsent = overdue.map(([seq]) => seq);
    if (overdue.some(([, { lastAt }]) => lastAt > 0))
      this.#resendMs = Math.min(2 * this.#resendMs, relayResendMsMax);
    return this.flush(onError);
  }

  /** Gives everything that waits to the consumer; what comes in meanwhile goes with the next round. Never throws. */
  flush(onError: (error: unknown) => void): Promise<void> {
    this.#flushing ??= this.#drain(onError).finally(() => {
      this.#flushing = null;
    });
    return this.#flushing;
  }

  async #drain(onError: (error: unknown) => void): Promise<void> {
    for (;;) {
      const now = Date.now();
      const way = this.#way(now);
      const packed = way === 'later' ? null : this.#pack(now);
      if (packed === null) return;
      const { message, seqs } = packed;
      try {
        if (way === 'at once' && (await this.#giveAtOnce(message, seqs, onError))) continue;
        this.#route.wentThroughQueue(seqs, now);
        await this.#ways.queue.send(message, { contentType: 'json' });
      } catch (error) {
        onError(error);
        return;
      }
    }
  }

  async #giveAtOnce(
    message: EventsQueueMessage,
    seqs: readonly number[],
    onError: (error: unknown) => void,
  ): Promise<boolean> {
    this.#route.wentAtOnce(seqs, Date.now());
    try {
      return await this.#ways.atOnce(message);
    } catch (error) {
      onError(error);
      return false;
    }
  }

  /** What the consumer may have had before comes first in line, so the first tells of all. */
  #way(now: number): ReturnType<EventRoute['choose']> {
    const first = this.#unsent[0] ?? 0;
    const isRepeat = first <= this.#leftUpTo || (this.#waiting.get(first)?.lastAt ?? 0) > 0;
    return isRepeat ? 'queue' : this.#route.choose(this.#unsent.length, now);
  }

  /** What waits, packed: a queue is paid and paced by the message. Under load, more comes in while one is sent. */
  #pack(now: number): { message: EventsQueueMessage; seqs: number[] } | null {
    const packed: RelayedEvent[] = [];
    const seqs: number[] = [];
    let characters = 0;
    let taken = 0;
    for (const seq of this.#unsent) {
      const sent = this.#waiting.get(seq);
      const step = sent ? this.#stepAt(seq) : null;
      if (sent && step) {
        if (packed.length > 0 && characters + step.characters > messageCharactersMax) break;
        characters += step.characters;
        seqs.push(seq);
        sent.firstAt ||= now;
        sent.lastAt = now;
        for (const event of step.events) packed.push({ seq, ...event });
      } else {
        // Its transaction came to nothing.
        this.#waiting.delete(seq);
        this.#rows.drop(seq);
        this.#route.confirmed(seq, now);
      }
      taken += 1;
    }
    this.#unsent = this.#unsent.slice(taken);
    return packed.length === 0 ? null : { message: { ...this.#head(), events: packed }, seqs };
  }

  #stepAt(seq: number): { events: UnplacedEvent[]; characters: number } | null {
    if (this.#rows.waiting.has(seq)) {
      const json = this.#rows.eventsAt(seq);
      return json === null ? null : { events: JSON.parse(json), characters: json.length };
    }
    const events = this.#riders.eventsAt(seq);
    return events && { events, characters: JSON.stringify(events).length };
  }

  /** The consumer has stored these: forget them. Repeats and unknown ones change nothing. */
  confirm(seqs: readonly number[]): void {
    let changed = false;
    const now = Date.now();
    let firstAt = Number.POSITIVE_INFINITY;
    for (const seq of seqs) {
      const sent = this.#waiting.get(seq);
      if (!sent) continue;
      this.#waiting.delete(seq);
      if (sent.firstAt > 0) firstAt = Math.min(firstAt, sent.firstAt);
      this.#route.confirmed(seq, now);
      if (this.#rows.confirm(seq)) changed = true;
      else this.#riders.confirm(seq, this.#lastSeq);
    }
    this.#noteConfirmed(now - firstAt);
    if (changed) this.#rows.settle(this.#lastSeq);
  }

  /** The oldest of what was confirmed now had been on its way for so long; `-Infinity`: nothing was. */
  #noteConfirmed(afterMs: number): void {
    if (!Number.isFinite(afterMs)) return;
    const wanted = Math.min(Math.max(2 * afterMs, relayResendMs), relayResendMsMax);
    const change = wanted - this.#resendMs;
    this.#resendMs += change > 0 ? change : change * soonerWeight;
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  /** When the oldest unconfirmed event is to be sent again; null when nothing waits. */
  resendAt(): number | null {
    for (const [seq, { lastAt }] of this.#waiting)
      return lastAt > 0 ? lastAt + this.#resendMs : Math.floor(seq / 1000) + relayResendMs;
    return null;
  }
}
