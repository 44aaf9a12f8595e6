import { runInDurableObject } from 'cloudflare:test';
import { vi } from 'vitest';
import type { EventEnvelope } from '../../src/contract/events.ts';
import { EventRelay } from '../../src/durable/event-relay.ts';
import type { PhoneNumber } from '../../src/durable/phone-number/phone-number.ts';
import { phoneNumber } from './fake-bridge.ts';

/** Keeps the events of every object in its relay, so that a test can read them; call once at the top of a file. */
export function keepRelayedEvents() {
  return vi.spyOn(EventRelay.prototype, 'confirm').mockImplementation(() => {});
}

/** The events that a number has stored, oldest first, from its relay: what a queue would be given. */
export function relayed(numberId: string): Promise<EventEnvelope[]> {
  return runInDurableObject<PhoneNumber, EventEnvelope[]>(phoneNumber(numberId), (_, { storage }) =>
    storage.sql
      .exec<{ events: string }>('SELECT events FROM relay ORDER BY seq')
      .toArray()
      .flatMap((row) => JSON.parse(row.events))
      .map((event) => event.envelope)
      .filter((envelope) => envelope !== null),
  );
}

export async function eventsOf(numberId: string, messageId: string): Promise<EventEnvelope[]> {
  const events = await relayed(numberId);
  return events.filter((event) => 'messageId' in event.data && event.data.messageId === messageId);
}
