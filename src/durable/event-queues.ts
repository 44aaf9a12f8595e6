/**
 * The queues that carry events. Two, so that a batch at work on one holds up half of the events; more would make batches
 * smaller, and each event dearer (docs/performance.md). One takes 5,000 messages a second.
 */
export const eventQueueNames = ['events', 'events-2'] as const;

export const eventQueues = (env: Env): readonly [Queue, Queue] => [env.EVENTS, env.EVENTS_2];

/** The queue of an object is always the same one: what it tells stays nearly in order. */
export function eventQueueOf(env: Env, id: DurableObjectId): Queue {
  const [first, second] = eventQueues(env);
  // The id is a hash, in hex.
  return Number.parseInt(id.toString().slice(-1), 16) % 2 === 0 ? first : second;
}
