import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { InboundMessage } from '../../../src/contract/bridge/bridge-frames.ts';
import type { EventLog } from '../../../src/durable/event-log/event-log.ts';
import { EventRows, type StoredEvent } from '../../../src/durable/event-log/events/event-rows.ts';
import {
  type DeviceRecord,
  type Fact,
  type OutboundRecord,
  workMax,
} from '../../../src/durable/event-log/facts.ts';
import { newMessageId, newUuid, providerMessageIdOf } from '../../../src/durable/new-ids.ts';

export type LogStub = DurableObjectStub<EventLog>;
const ownPhone = '15550000001';
export const start = Date.UTC(2026, 0, 31, 9, 30);

/** The log of an account of its own. */
export const newLog = (): LogStub => env.EVENT_LOG.getByName(newUuid());

/** Tells the log more than one call may bear. */
export async function takeAll(log: LogStub, facts: readonly Fact[]): Promise<void> {
  for (let from = 0; from < facts.length; from += workMax) await log.take(facts.slice(from, from + workMax));
}

export function record(more: Partial<OutboundRecord> = {}): OutboundRecord {
  return {
    messageId: newMessageId(),
    numberId: newUuid(),
    from: ownPhone,
    to: '628123456789',
    chatType: 'personal',
    content: { type: 'text', text: 'hello' },
    senderSource: 'pool',
    queuedAt: start,
    ...more,
  };
}

export const queued = (message: OutboundRecord): Fact => ({ kind: 'message.queued', message });
export const moved = (message: OutboundRecord): Fact => ({ kind: 'message.moved', message });
export const sent = (message: OutboundRecord, at = message.queuedAt + 1000): Fact => ({
  kind: 'message.sent',
  message,
  at,
});
export const failed = (message: OutboundRecord, at = message.queuedAt + 1000): Fact => ({
  kind: 'message.failed',
  message,
  at,
  errorMessage: 'The network refused it.',
});

export function receipt(
  message: OutboundRecord,
  kind: 'delivered' | 'read',
  more: Partial<Extract<Fact, { kind: 'message.receipt' }>> = {},
): Fact {
  return {
    kind: 'message.receipt',
    numberId: message.numberId,
    providerMessageId: providerMessageIdOf(message.messageId),
    receipt: kind,
    at: message.queuedAt + (kind === 'delivered' ? 2000 : 3000),
    recipient: null,
    recipientLid: null,
    ...more,
  };
}

export function received(more: Partial<InboundMessage> = {}, numberId = newUuid(), to = ownPhone): Fact {
  const message: InboundMessage = {
    providerMessageId: crypto.randomUUID(),
    at: new Date(start).toISOString(),
    chatType: 'personal',
    from: '628123456789',
    pushName: 'Budi',
    content: { type: 'text', text: 'hello there' },
    ...more,
  };
  return { kind: 'message.received', numberId, to, message };
}

export function deviceChanged(more: Partial<DeviceRecord> = {}, isNews = true): Fact {
  const device: DeviceRecord = {
    numberId: newUuid(),
    revision: 1,
    state: 'connected',
    phoneNumber: ownPhone,
    reason: null,
    connectedAt: start,
    lastSeenAt: start,
    ...more,
  };
  return { kind: 'device.changed', device, at: start, isNews };
}

/** Everything that stands in the log, in order. */
export function eventsOf(log: LogStub): Promise<StoredEvent[]> {
  return runInDurableObject(log, (_, { storage }) => {
    const rows = new EventRows(storage.sql);
    const found: StoredEvent[] = [];
    while ((found.at(-1)?.seq ?? 0) < rows.head) found.push(...rows.read(found.at(-1)?.seq ?? 0, 1000));
    return found;
  });
}

export const namesOf = async (log: LogStub): Promise<string[]> =>
  (await eventsOf(log)).map(({ envelope }) => envelope.event);

/** Without what the log tells of conversations. */
export const aboutMessages = (name: string): boolean => !name.startsWith('conversation.');

/** What was stored about the log's rows: `count` of a table. */
export function countOf(log: LogStub, table: string): Promise<number> {
  return runInDurableObject(
    log,
    (_, { storage }) => storage.sql.exec<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).one().n,
  );
}
