import type { EventsQueueMessage } from './relayed-events.ts';

/** The ways of an object's events to their consumer. */
export interface EventWays {
  /** Packs what comes from many objects, and tries again. */
  queue: Pick<Queue, 'send'>;
  /** Without the queue; resolves once the consumer has them, long before it is done with them. */
  atOnce: (message: EventsQueueMessage) => Promise<void>;
}

export function eventWays(ctx: DurableObjectState, env: Env): EventWays {
  return {
    queue: env.EVENTS,
    atOnce: (message) => ctx.exports.EventsAtOnce.take(message),
  };
}
