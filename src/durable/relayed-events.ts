import type { DeviceState } from '../contract/device.ts';
import type { EventEnvelope } from '../contract/events.ts';
import type { messages } from '../database/schema.ts';

/** The whole row as the object knows it now; the projection keeps the one that has come furthest. */
export type MessageProjection = typeof messages.$inferInsert;

/** The device as its object knows it now; the highest revision wins, in whatever order they arrive. */
export interface DeviceProjection {
  numberId: string;
  revision: number;
  state: DeviceState;
  phoneNumber: string | null;
  reason: string | null;
  connectedAt: number | null;
  lastSeenAt: number | null;
}

/** One step of the relay: an event for the webhooks, rows for the read model, or both. */
export interface RelayedEvent {
  /** Its place in the relay of the object it comes from, shared by the events of one step; what confirms it. */
  seq: number;
  envelope: EventEnvelope | null;
  message: MessageProjection | null;
  device: DeviceProjection | null;
}

/** Where to confirm: an event leaves the object's relay only when the consumer has said that it is stored. */
export interface EventSource {
  kind: 'phone-number' | 'account';
  /** The object's name. */
  name: string;
}

/** A message of the queue `events`: several steps of one object, oldest first. */
export interface EventsQueueMessage {
  accountId: string;
  source: EventSource;
  events: RelayedEvent[];
}
