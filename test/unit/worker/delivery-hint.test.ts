import { expect, test } from 'vitest';
import {
  acceptedMessage,
  type LoggedOutbound,
} from '../../../src/durable/event-log/messages/logged-message.ts';
import { deliveryHint } from '../../../src/worker/features/messages/shown-message.ts';

const hourMs = 3_600_000;
const now = Date.parse('2026-02-02T10:00:00.000Z');

const message = (more: Partial<LoggedOutbound>) => ({
  ...acceptedMessage({
    messageId: 'msg_01890a5d-ac96-774b-bcce-b302099a8057',
    numberId: 'n',
    from: '15550000001',
    to: '628123456789',
    chatType: 'personal',
    content: { type: 'text', text: 'hi' },
    senderSource: 'pool',
    queuedAt: now - 30 * hourMs,
  }),
  status: 'sent' as const,
  sentAt: now - 25 * hourMs,
  ...more,
});

test('a message that nobody has received for a day says that the recipient may not be on the network', () => {
  expect(deliveryHint(message({}), now)).toContain('may not be registered');
});

test.each<[string, Partial<LoggedOutbound>]>([
  ['within the day', { sentAt: now - 23 * hourMs }],
  ['once it was delivered', { status: 'delivered', deliveredAt: now - hourMs }],
  ['where it has not left', { status: 'queued', sentAt: null }],
  ['where it has failed', { status: 'failed', failedAt: now }],
  ['to a group', { chatType: 'group' }],
  ['that was sent on the phone', { senderSource: null }],
])('nothing is said of one %s', (_, more) => {
  expect(deliveryHint(message(more), now)).toBeNull();
});
