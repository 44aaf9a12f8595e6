import { expect, test } from 'vitest';
import {
  recordStep,
  withLatestStatus,
  withLatestStep,
} from '../../../src/dashboard/queries/message-progress.ts';
import type { Message, StreamEvent } from '../../../src/sdk/index.ts';

let count = 0;

/** A message of its own, as an answer has it, and what hears events of it. */
function message(status: Message['status']) {
  count += 1;
  const messageId = `msg_${count}`;
  const hear = (event: string, data: object = {}) =>
    recordStep({
      event,
      timestamp: '2026-11-24T10:00:09.000Z',
      data: { messageId, ...data },
    } as unknown as StreamEvent);
  return { asked: { messageId, status, text: 'Hello' } as Message, hear };
}

test('an answer that is behind what events have told is moved on, with the times of all steps', () => {
  const { asked, hear } = message('queued');
  expect(hear('message.sent', { sentAt: 'sent', providerMessageId: 'A1' })).toBe(true);
  hear('message.delivered', { deliveredAt: 'delivered' });
  hear('message.read', { deliveredAt: 'delivered', readAt: 'read' });
  expect(withLatestStep(asked)).toEqual({
    ...asked,
    status: 'read',
    sentAt: 'sent',
    providerMessageId: 'A1',
    deliveredAt: 'delivered',
    readAt: 'read',
  });
  expect(withLatestStatus(asked)).toEqual({ ...asked, status: 'read' });
});

test('an answer that is further than what events have told stays as it is', () => {
  const { asked, hear } = message('read');
  hear('message.sent', { sentAt: 'sent' });
  expect(withLatestStep(asked)).toBe(asked);
  hear('message.failed', { errorMessage: 'too late' });
  expect(withLatestStatus(asked)).toBe(asked);
});

test('an event that comes a second time takes nothing back', () => {
  const { asked, hear } = message('queued');
  hear('message.read', { deliveredAt: 'delivered', readAt: 'read' });
  hear('message.sent', { sentAt: 'sent' });
  expect(withLatestStep(asked)).toMatchObject({ status: 'read', readAt: 'read', sentAt: 'sent' });
});

test('why a message failed is told with it', () => {
  const { asked, hear } = message('sent');
  hear('message.failed', { errorMessage: 'Refused by the network.' });
  expect(withLatestStep(asked)).toMatchObject({
    status: 'failed',
    errorMessage: 'Refused by the network.',
    failedAt: '2026-11-24T10:00:09.000Z',
  });
});

test('what somebody did to a message is no step', () => {
  expect(message('received').hear('message.edited')).toBe(false);
});

test('so much is remembered as events tell of while an answer is on its way, not more', () => {
  const first = message('queued');
  first.hear('message.sent', { sentAt: 'sent' });
  for (let more = 0; more < 5_000; more += 1) message('queued').hear('message.sent', { sentAt: 'sent' });
  expect(withLatestStep(first.asked)).toBe(first.asked);
});
