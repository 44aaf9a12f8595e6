import type { EventsQueueMessage } from './relayed-events.ts';

/** The ways of an object's events to their consumer. */
export interface EventWays {
  /** Packs what comes from many objects, and tries again. */
  queue: Pick<Queue, 'send'>;
  /** Without the queue; resolves once the consumer has them, long before it is done. False: it has too many already. */
  atOnce: (message: EventsQueueMessage) => Promise<boolean>;
}

export function eventWays(ctx: DurableObjectState, env: Env): EventWays {
  return {
    queue: env.EVENTS,
    atOnce: (message) => ctx.exports.EventsAtOnce.take(message),
  };
}

/** Events wait this long for those that are on their way, and no more of them. */
const heldMs = 2_000;
const heldMax = 250;
/**
 * A consumer that takes longer than this for what came to it at once, or refuses it, has too much to do: for so long it
 * is given nothing but through the queue, which packs what comes from many objects.
 */
const atOnceMaxMs = 1_000;
const queueOnlyMs = 3_000;

/**
 * Which way new events go: at once, while none of the object's are on their way; those that come meanwhile wait and go
 * together when these are confirmed. So the busier the consumer is, the more it gets in one piece. What is more than
 * that, and what got lost on its way, goes through the queue.
 */
export class EventRoute {
  /** Unconfirmed places that went at once, together, and when. */
  readonly #flight = new Set<number>();
  #flightAt = 0;
  /** Unconfirmed places that went through the queue. */
  readonly #queued = new Set<number>();
  #queueOnlyUntil = 0;

  /** The way of so many new events; `later`: when those that are on their way are confirmed. */
  choose(count: number, now: number): 'at once' | 'queue' | 'later' {
    if (count > heldMax || this.#queued.size > 0) return 'queue';
    if (this.#flight.size > 0) return now - this.#flightAt <= heldMs ? 'later' : 'queue';
    return now < this.#queueOnlyUntil ? 'queue' : 'at once';
  }

  wentAtOnce(seqs: readonly number[], now: number): void {
    for (const seq of seqs) this.#flight.add(seq);
    this.#flightAt = now;
  }

  /** Also where they went at once before: then they were refused, or got lost. */
  wentThroughQueue(seqs: readonly number[], now: number): void {
    for (const seq of seqs) {
      if (this.#flight.delete(seq)) this.#queueOnlyUntil = now + queueOnlyMs;
      this.#queued.add(seq);
    }
  }

  confirmed(seq: number, now: number): void {
    this.#queued.delete(seq);
    if (this.#flight.delete(seq) && now - this.#flightAt > atOnceMaxMs) {
      this.#queueOnlyUntil = now + queueOnlyMs;
    }
  }
}
