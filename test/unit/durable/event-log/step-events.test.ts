import { describe, expect, test } from 'vitest';
import { eventDataSchemas } from '../../../../src/contract/events.ts';
import type { MessageStatus } from '../../../../src/contract/messages/message-status.ts';
import { stepEvents } from '../../../../src/durable/event-log/intake/messages/message-events.ts';
import { type LoggedOutbound, unchanged } from '../../../../src/durable/event-log/messages/logged-message.ts';

const [queuedAt, sentAt, deliveredAt, readAt] = [1, 2, 3, 4].map(
  (second) => 1_790_000_000_000 + second * 1_000,
);
const iso = (at: number | undefined) => new Date(at ?? 0).toISOString();
const steps: MessageStatus[] = ['queued', 'sent', 'delivered', 'read', 'failed'];

const message = (more: Partial<LoggedOutbound> = {}): LoggedOutbound => ({
  ...unchanged,
  id: 1,
  messageId: 'msg_01934567-89ab-7def-8123-456789abcdef',
  numberId: '01934567-89ab-7def-8123-456789abcde0',
  peer: '628123456789',
  peerLid: null,
  ownPhone: '628999000111',
  chatType: 'personal',
  content: { type: 'text', text: 'hello' },
  groupId: null,
  providerMessageId: '3EB0123',
  direction: 'outbound',
  status: 'read',
  senderSource: 'pool',
  errorMessage: 'The network refused it.',
  errorCode: 'network_463',
  clientReference: 'order-17',
  sendAt: null,
  isQuiet: false,
  origin: null,
  queuedAt: queuedAt ?? 0,
  sentAt: sentAt ?? 0,
  deliveredAt: deliveredAt ?? 0,
  readAt: readAt ?? 0,
  failedAt: null,
  ...more,
});

const { messageId, numberId, peer: to } = message();
const head = {
  messageId,
  numberId,
  to,
  chatType: 'personal',
  messageType: 'text',
  clientReference: 'order-17',
};
const receipt = {
  messageId,
  numberId,
  providerMessageId: '3EB0123',
  messageStatus: 'delivered',
  deliveredAt: iso(deliveredAt),
  chat: '628123456789@s.whatsapp.net',
  recipient: '628123456789',
  isGroup: false,
  clientReference: 'order-17',
};

describe('the events of what becomes of a message', () => {
  test('say all of it, one for each step, in order', () => {
    const events = stepEvents(steps, message());
    expect(events.map(({ event, data }) => [event, data])).toEqual([
      ['message.queued', { ...head, status: 'queued' }],
      ['message.sent', { ...head, providerMessageId: '3EB0123', status: 'sent', sentAt: iso(sentAt) }],
      ['message.delivered', { ...receipt, status: 'delivered' }],
      ['message.read', { ...receipt, status: 'read', readAt: iso(readAt) }],
      [
        'message.failed',
        { ...head, status: 'failed', errorMessage: 'The network refused it.', errorCode: 'network_463' },
      ],
    ]);
    expect(new Set(events.map(({ id }) => id)).size).toBe(steps.length);
  });

  test('are as the contract has them, and leave out what there is none of', () => {
    const bare = message({ clientReference: null, errorCode: null });
    for (const one of [message(), bare])
      for (const { event, data } of stepEvents(steps, one))
        expect(eventDataSchemas[event].safeParse(data).error).toBeUndefined();
    for (const { data } of stepEvents(steps, bare)) {
      expect(data).not.toHaveProperty('clientReference');
      expect(data).not.toHaveProperty('errorCode');
    }
  });

  test('name the member of a group who confirms, by phone number where that is known, and the alias', () => {
    const group = message({ chatType: 'group', peer: '120363000000000001@g.us' });
    const of = (phoneNumber: string | null, lid: string | null) =>
      stepEvents(['delivered'], group, { phoneNumber, lid })[0]?.data;
    const inGroup = { chat: '120363000000000001@g.us', isGroup: true };
    expect(of('628555', null)).toMatchObject({ ...inGroup, recipient: '628555' });
    expect(of('628555', null)).not.toHaveProperty('recipientLid');
    expect(of(null, '99@lid')).toMatchObject({ ...inGroup, recipient: '99@lid', recipientLid: '99@lid' });
    expect(of('628555', '99@lid')).toMatchObject({ recipient: '628555', recipientLid: '99@lid' });
  });

  test('are none of a message that no event tells of', () => {
    expect(stepEvents(steps, message({ isQuiet: true }))).toEqual([]);
  });
});
