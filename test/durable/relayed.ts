import { runInDurableObject } from 'cloudflare:test';
import { vi } from 'vitest';
import type { EventEnvelope } from '../../src/contract/events.ts';
import { EventRelay, type UnplacedEvent } from '../../src/durable/event-relay.ts';
import { selectMessages } from '../../src/durable/phone-number/message-rows.ts';
import type { PhoneNumber } from '../../src/durable/phone-number/phone-number.ts';
import { eventOf } from '../../src/durable/phone-number/step-events.ts';
import type { RelayedEvent } from '../../src/durable/relayed-events.ts';
import { phoneNumber } from './fake-bridge.ts';

/** Keeps the events of every object in its relay, so that a test can read them; call once at the top of a file. */
export function keepRelayedEvents() {
  return vi.spyOn(EventRelay.prototype, 'confirm').mockImplementation(() => {});
}

/** The events that a number has stored, oldest first, from its relay and its messages: what a queue would be given. */
export async function relayed(numberId: string): Promise<EventEnvelope[]> {
  return (await stored(numberId)).map(({ envelope }) => envelope).filter((envelope) => envelope !== null);
}

/** The places of all that a number has stored of events: what confirms them. */
export async function relayedSeqs(numberId: string): Promise<number[]> {
  return (await stored(numberId)).map(({ seq }) => seq);
}

/** Each event once, though what has fallen behind in a message's row stands in the relay too. */
async function stored(numberId: string): Promise<RelayedEvent[]> {
  const events = await runInDurableObject<PhoneNumber, RelayedEvent[]>(
    phoneNumber(numberId),
    (_, { storage }) => {
      const { sql } = storage;
      const rows = sql.exec<{ seq: number; events: string }>('SELECT seq, events FROM relay').toArray();
      const inRelay = rows.flatMap(({ seq, events }) =>
        (JSON.parse(events) as UnplacedEvent[]).map((event) => ({ seq, ...event })),
      );
      const inMessages = selectMessages(sql, '').flatMap((message) =>
        message.untold.map((step) => ({
          seq: step.seq,
          ...eventOf(step, message, { accountId: 'the account', numberId }),
        })),
      );
      return [...inRelay, ...inMessages].sort((a, b) => a.seq - b.seq);
    },
  );
  const ids = new Set<string>();
  return events.filter(({ envelope }) => {
    if (envelope === null) return true;
    const isNew = !ids.has(envelope.id);
    ids.add(envelope.id);
    return isNew;
  });
}

export async function eventsOf(numberId: string, messageId: string): Promise<EventEnvelope[]> {
  const events = await relayed(numberId);
  return events.filter((event) => 'messageId' in event.data && event.data.messageId === messageId);
}
