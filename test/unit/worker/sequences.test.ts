import { expect, test } from 'vitest';
import { type DueDelivery, sequences } from '../../../src/worker/delivery/sequences.ts';

test('steps of one message in one millisecond go in the order of their events, whatever their delivery ids', () => {
  const due = (eventId: string, deliveryId: string, messageId: string, webhookId = 'hook') =>
    ({
      delivery: { webhookId, deliveryId, eventId, body: JSON.stringify({ data: { messageId } }) },
    }) as DueDelivery;
  const found = sequences([
    due('evt_3', 'd1', 'a'),
    due('evt_4', 'd0', 'b'),
    due('evt_1', 'd3', 'a'),
    due('evt_2', 'd2', 'a'),
    due('evt_1', 'd9', 'a', 'another'),
  ]);
  const order = found.map((sequence) => sequence.map(({ delivery }) => delivery.eventId));
  expect(order.sort()).toEqual([['evt_1'], ['evt_1', 'evt_2', 'evt_3'], ['evt_4']]);
});

test('events that are about no message wait for nobody', () => {
  const due = (eventId: string) =>
    ({ delivery: { webhookId: 'hook', deliveryId: eventId, eventId, body: '{"data":{}}' } }) as DueDelivery;
  expect(sequences([due('evt_2'), due('evt_1')]).map((sequence) => sequence.length)).toEqual([1, 1]);
});
