import { expect, test } from 'vitest';
import type { EventEnvelope } from '../../../../src/contract/events.ts';
import {
  deliveryIdsFrom,
  firstDeliveryIdOf,
  orderKeyOf,
  replayDeliveryIdOf,
  timeOfDeliveryId,
  wants,
} from '../../../../src/durable/event-log/deliveries/webhooks/webhook-configuration.ts';
import { matches } from '../../../../src/durable/event-log/feed/event-reader.ts';

const [numberId, otherNumberId] = [
  '01a1fd32-baa4-71dc-bc53-d368e3d25210',
  '01a1fd32-c24a-703a-898d-1288b57dd527',
];
const timestamp = '2026-01-31T09:30:00.123Z';
const messageId = 'msg_01a1fd32-bad3-755b-acdf-d97fd1c904d4';
const failed: EventEnvelope<'message.failed'> = {
  id: 'evt_01a1fd32-bad3-755b-acdf-d97fd1c904d4',
  event: 'message.failed',
  timestamp,
  data: {
    messageId,
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
const all = { events: null, numberIds: null };

test('a webhook for everything gets everything', () => {
  expect(wants(all, failed)).toBe(true);
  expect(wants(all, quota)).toBe(true);
});

test('an event that bears a number goes only to webhooks that are assigned to it', () => {
  expect(wants({ ...all, numberIds: [numberId] }, failed)).toBe(true);
  expect(wants({ ...all, numberIds: [otherNumberId] }, failed)).toBe(false);
});

test('a reader of one number hears what bears it, nothing of the whole account, and nothing of what is hidden', () => {
  const of = { events: null, numberId };
  expect([failed, quota].map((event) => matches(event, of))).toEqual([true, false]);
  expect(matches(failed, { ...of, numberId: otherNumberId })).toBe(false);
  const hiding = { events: null, numberId: null, hiddenNumberIds: [numberId] };
  expect([failed, quota].map((event) => matches(event, hiding))).toEqual([false, true]);
});

test('an event of the whole account goes to webhooks of single numbers too', () => {
  expect(wants({ ...all, numberIds: [otherNumberId] }, quota)).toBe(true);
});

test('a webhook gets only the events that it has chosen', () => {
  expect(wants({ ...all, events: ['message.sent'] }, failed)).toBe(false);
  expect(wants({ ...all, events: ['message.sent', 'message.failed'] }, failed)).toBe(true);
});

test('events of one message keep their order, and events that are about no message wait for nobody', () => {
  expect(orderKeyOf(failed)).toBe(messageId);
  expect(orderKeyOf(quota)).toBeNull();
});

test('an event and a webhook make the same delivery each time, and a replay makes another one', () => {
  const event = { seq: 7, envelope: failed };
  const id = firstDeliveryIdOf('webhook', event);
  expect(firstDeliveryIdOf('webhook', { seq: 7, envelope: { ...failed } })).toBe(id);
  expect(firstDeliveryIdOf('another', event)).not.toBe(id);
  const replay = { id: 'replay', begunAt: Date.parse(timestamp) };
  expect(replayDeliveryIdOf('webhook', replay, event)).toBe(replayDeliveryIdOf('webhook', replay, event));
  expect(replayDeliveryIdOf('webhook', replay, event)).not.toBe(id);
});

test('delivery ids are in the order of the events, also of events of one moment, and tell their time', () => {
  const at = (seq: number, envelope: EventEnvelope) => firstDeliveryIdOf('webhook', { seq, envelope });
  const later = { ...quota, timestamp: '2026-01-31T09:30:00.124Z' };
  const ids = [at(1, failed), at(2, quota), at(3, failed), at(300, quota), at(301, later)];
  expect(ids).toEqual([...ids].sort());
  expect(ids.map(timeOfDeliveryId)).toEqual([0, 0, 0, 0, 1].map((ms) => Date.parse(timestamp) + ms));
  expect(deliveryIdsFrom(Date.parse(timestamp)) < (ids[0] ?? '')).toBe(true);
  expect(deliveryIdsFrom(Date.parse(timestamp) + 1) > (ids[3] ?? '')).toBe(true);
});
