import type { EventEnvelope } from '../../../contract/events.ts';
import type { StoredEvent } from '../events/event-rows.ts';
import { encodeCursor } from './cursor.ts';

/** An event as the stream shows it: the body of a callback, and where to go on behind it. */
export type StreamEvent = { cursor: string } & EventEnvelope;

export function streamEvent(generation: string, { seq, envelope }: StoredEvent): StreamEvent {
  return { cursor: encodeCursor({ generation, seq }), ...envelope };
}
