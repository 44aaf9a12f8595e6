import { env } from 'cloudflare:workers';
import { afterEach, expect, test, vi } from 'vitest';
import { EventLog } from '../../../src/durable/event-log/event-log.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { countOf } from '../event-log/event-log-fixture.ts';
import { NodeBridge } from './node-bridge.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

test('messages and an address book reach a log that takes some facts at a time, none twice', async () => {
  const calls: number[] = [];
  const { take } = EventLog.prototype;
  vi.spyOn(EventLog.prototype, 'take').mockImplementation(function (this: EventLog, facts) {
    calls.push(facts.length);
    return take.call(this, facts.slice(0, 2));
  });
  const accountId = newUuid();
  const bridge = await NodeBridge.connect(accountId, newUuid(), '628123456789');
  const at = new Date().toISOString();
  const contacts = [{ phoneNumber: '628555000001', lid: '100000000000018', name: 'Known' }];
  for (let part = 0; part < 3; part += 1) await bridge.tell({ type: 'contacts.listed', contacts, at });
  calls.length = 0;
  await bridge.tell({
    type: 'inbound',
    items: Array.from({ length: 5 }, (_, index) => ({
      providerMessageId: `IN${index}`,
      at,
      chatType: 'personal',
      from: '628555000001',
      pushName: '',
      content: { type: 'text', text: `text ${index}` },
    })),
  });
  const log = env.EVENT_LOG.getByName(accountId);
  expect(await countOf(log, 'messages')).toBe(5);
  expect(await countOf(log, 'contacts')).toBe(1);
  expect(calls.slice(-3)).toEqual([5, 3, 1]);
});
