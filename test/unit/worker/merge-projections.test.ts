import fc from 'fast-check';
import { expect, test } from 'vitest';
import type {
  DeviceProjection,
  EventsQueueMessage,
  MessageProjection,
} from '../../../src/durable/relayed-events.ts';
import { mergeProjections } from '../../../src/worker/events/merge-projections.ts';

const row: MessageProjection = {
  accountId: 'account',
  messageId: 'msg_1',
  direction: 'outbound',
  status: 'queued',
  numberId: 'number',
  to: '628123456789',
  from: '15550000001',
  chatType: 'personal',
  messageType: 'text',
  text: 'hello',
  queuedAt: 1,
};
const steps: MessageProjection[] = [
  row,
  { ...row, status: 'sent', sentAt: 2, providerMessageId: '3EB0' },
  { ...row, status: 'delivered', sentAt: 2, providerMessageId: '3EB0', deliveredAt: 3 },
  { ...row, status: 'read', sentAt: 2, providerMessageId: '3EB0', deliveredAt: 3, readAt: 4 },
];

const queueMessage = (part: {
  message?: MessageProjection;
  device?: DeviceProjection;
}): EventsQueueMessage => ({
  accountId: 'account',
  source: { kind: 'phone-number', name: 'number' },
  events: [{ seq: 1, envelope: null, message: part.message ?? null, device: part.device ?? null }],
});

test('a message ends at its furthest step, in whatever order and however often its steps arrive', () => {
  const arrivals = fc.array(fc.constantFrom(...steps), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(arrivals, (seen) => {
      const { messages } = mergeProjections(seen.map((message) => queueMessage({ message })));
      const furthest = Math.max(...seen.map((step) => steps.indexOf(step)));
      expect(messages).toEqual([expect.objectContaining(steps[furthest] ?? {})]);
    }),
  );
});

test('a failure is the end of a message that was not delivered, and never undoes a delivery', () => {
  const failed: MessageProjection = {
    ...row,
    status: 'failed',
    failedAt: 5,
    errorMessage: 'The network refused it.',
  };
  const merged = (...seen: MessageProjection[]) =>
    mergeProjections(seen.map((message) => queueMessage({ message }))).messages[0]?.status;
  expect(merged(row, failed)).toBe('failed');
  expect(merged(failed, row)).toBe('failed');
  expect(merged({ ...row, status: 'sent' }, failed)).toBe('failed');
  expect(merged({ ...row, status: 'delivered' }, failed)).toBe('delivered');
});

test('of several reports about a device the newest counts, and only that one', () => {
  const device = (revision: number): DeviceProjection => ({
    numberId: 'number',
    revision,
    state: revision === 3 ? 'connected' : 'disconnected',
    phoneNumber: null,
    reason: null,
    connectedAt: null,
    lastSeenAt: null,
  });
  const { devices } = mergeProjections(
    [2, 3, 1].map((revision) => queueMessage({ device: device(revision) })),
  );
  expect(devices).toEqual([{ accountId: 'account', device: device(3) }]);
});
