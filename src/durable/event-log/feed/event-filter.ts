import type { EventEnvelope, EventName } from '../../../contract/events.ts';
import type { StoredEvent } from '../events/event-rows.ts';

/** Which events a reader wants: null means all. */
export interface EventFilter {
  events: readonly EventName[] | null;
  numberId: string | null;
  /** Numbers of which the reader hears nothing. */
  hiddenNumberIds?: readonly string[];
}

export function matches(
  { event, data }: EventEnvelope,
  { events, numberId, hiddenNumberIds = [] }: EventFilter,
): boolean {
  if (events !== null && !events.includes(event)) return false;
  if ('numberId' in data && hiddenNumberIds.includes(data.numberId)) return false;
  return numberId === null || ('numberId' in data && data.numberId === numberId);
}

/**
 * The first events of `read` that match, at most `limit`, and the sequence up to which all are looked at. `read` is in
 * order, and begins behind `after`.
 */
export function selectEvents(
  read: readonly StoredEvent[],
  after: number,
  filter: EventFilter,
  limit: number,
): { found: StoredEvent[]; seq: number } {
  const found: StoredEvent[] = [];
  let seq = after;
  for (const event of read) {
    if (found.length === limit) break;
    seq = event.seq;
    if (matches(event.envelope, filter)) found.push(event);
  }
  return { found, seq };
}
