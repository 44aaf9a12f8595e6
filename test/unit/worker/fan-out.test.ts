import { expect, test } from 'vitest';
import type { EventEnvelope } from '../../../src/contract/events.ts';
import { fanOut, wants } from '../../../src/worker/events/fan-out.ts';

const [numberId, otherNumberId] = [
  '01a1fd32-baa4-71dc-bc53-d368e3d25210',
  '01a1fd32-c24a-703a-898d-1288b57dd527',
];
const timestamp = '2026-01-31T09:30:00.123Z';
const failed: EventEnvelope<'message.failed'> = {
  id: 'evt_01a1fd32-bad3-755b-acdf-d97fd1c904d4',
  event: 'message.failed',
  timestamp,
  data: {
    messageId: 'msg_01a1fd32-bad3-755b-acdf-d97fd1c904d4',
    numberId,
    to: '628123456789',
    chatType: 'personal',
    messageType: 'text',
    status: 'failed',
    errorMessage: 'The network refused it.',
  },
};
const quota: EventEnvelope<'quota.exceeded'> = {
  id: 'evt_01a1fd32-bad3-755b-acdf-d97fd1c904d5',
  event: 'quota.exceeded',
  timestamp,
  data: { used: 1000, limit: 1000, resetAt: timestamp },
};
const all = { enabled: true, disabledReason: null, events: null, numberIds: null };
const webhook = {
  ...all,
  id: '01a1fd32-bac5-74a0-bcf2-c40dc8400cae',
  accountId: 'account',
  url: 'https://example.com',
  description: null,
  sealedSecret: '',
  previousSealedSecret: null,
  previousSecretUntil: null,
  slowUntil: null,
  releasing: false,
  failureStreak: 0,
  lastDeliveryAt: null,
  createdAt: 1,
};
const batch = [
  {
    accountId: 'account',
    source: { kind: 'phone-number' as const, name: numberId },
    events: [{ seq: 1, envelope: failed, message: null, device: null }],
  },
];

test('a webhook for everything gets everything', () => {
  expect(wants(all, failed)).toBe(true);
  expect(wants(all, quota)).toBe(true);
});

test('an event that bears a number goes only to webhooks that are assigned to it', () => {
  expect(wants({ ...all, numberIds: [numberId] }, failed)).toBe(true);
  expect(wants({ ...all, numberIds: [otherNumberId] }, failed)).toBe(false);
});

test('an event of the whole account goes to webhooks of single numbers too', () => {
  expect(wants({ ...all, numberIds: [otherNumberId] }, quota)).toBe(true);
});

test('a webhook gets only the events that it has chosen, and none while a person has switched it off', () => {
  expect(wants({ ...all, events: ['message.sent'] }, failed)).toBe(false);
  expect(wants({ ...all, events: ['message.sent', 'message.failed'] }, failed)).toBe(true);
  expect(wants({ ...all, enabled: false }, failed)).toBe(false);
});

test('what happens while the circuit breaker has a webhook off is kept for it', () => {
  const off = { ...webhook, enabled: false, disabledReason: 'circuit_open' as const };
  expect(wants(off, failed)).toBe(true);
  expect(fanOut(batch, [off], 1)).toMatchObject([{ status: 'held', nextAttemptAt: null }]);
  expect(fanOut(batch, [webhook], 1)).toMatchObject([{ status: 'pending', nextAttemptAt: 1 }]);
});

test('an event and a webhook make the same delivery each time, and another account gets nothing', () => {
  const [first] = fanOut([...batch, ...batch], [webhook], 1);
  const [again] = fanOut(batch, [webhook], 2);
  expect(first).toMatchObject({
    webhookId: webhook.id,
    eventId: failed.id,
    body: JSON.stringify(failed),
    attempts: [],
  });
  expect(again?.deliveryId).toBe(first?.deliveryId);
  expect(fanOut([...batch, ...batch], [webhook], 1)).toHaveLength(1);
  expect(fanOut(batch, [{ ...webhook, accountId: 'another' }], 1)).toEqual([]);
});
