import { describe, expect, test } from 'vitest';
import { type EventName, eventDataSchemas, eventNames } from '../../src/contract/events.ts';
import { eventNames as namesInSdk } from '../../src/sdk/event-names.ts';

/** The table of the contract; a question mark stands behind what may be left out. */
const fieldsOf: Record<EventName, string> = {
  'message.queued': 'messageId, numberId, to?, contactId?, chatType, messageType, status, clientReference?',
  'message.sent':
    'messageId, numberId, to?, contactId?, chatType, messageType, providerMessageId, status, sentAt, clientReference?',
  'message.delivered':
    'messageId, numberId, providerMessageId, status, messageStatus, deliveredAt, chat, recipient, recipientLid?, isGroup, clientReference?',
  'message.read':
    'messageId, numberId, providerMessageId, status, messageStatus, deliveredAt, readAt, chat, recipient, recipientLid?, isGroup, clientReference?',
  'message.failed':
    'messageId, numberId, to?, contactId?, chatType, messageType, status, errorMessage, errorCode?, clientReference?',
  'message.received':
    'messageId, numberId, providerMessageId, from, to, messageType, text, isGroup, pushName, chatType, groupId?, senderLid?, media?, location?, contacts?, poll?, quotedMessageId?, mentions?, isForwarded?, isEphemeral?, referral?, unsupportedType?',
  'message.media': 'messageId, numberId, media',
  'device.connected': 'numberId, phoneNumber, connectedAt',
  'device.disconnected': 'numberId, phoneNumber, reason, lastSeenAt',
  'device.logged_out': 'numberId, phoneNumber, reason',
  'device.pairing': 'numberId, method, qr?, code?, expiresAt',
  'group.created': 'numberId, groupId, subject',
  'group.updated': 'numberId, groupId, subject, changes',
  'group.participants': 'numberId, groupId, subject, action, participants',
  'group.join_request': 'numberId, groupId, subject, action, participants',
  'contact.updated': 'contactId, phoneNumber?, lid?, name?, pushName?',
  'quota.exceeded': 'used, limit, resetAt',
  'message.edited':
    'messageId, numberId, providerMessageId, chat, direction, text, editedAt, clientReference?',
  'message.deleted': 'messageId, numberId, providerMessageId, chat, direction, deletedAt, clientReference?',
  'message.reaction': 'messageId, numberId, chat, from, emoji, reactedAt, clientReference?',
  'message.sent_from_phone':
    'messageId, numberId, providerMessageId, to, messageType, text, isGroup, pushName, chatType, groupId?, media?, location?, contacts?, poll?, quotedMessageId?, mentions?, isForwarded?, isEphemeral?, referral?, unsupportedType?',
  'poll.voted': 'messageId, numberId, from, options, votedAt, clientReference?',
  'call.received': 'numberId, callId, from, isVideo, isGroup, at',
  'conversation.created': 'conversationId, numberId, contactId?, groupId?, status, assigneeId?, changes',
  'conversation.updated': 'conversationId, numberId, contactId?, groupId?, status, assigneeId?, changes',
  'campaign.started': 'campaignId, name, reason?, counts',
  'campaign.paused': 'campaignId, name, reason?, counts',
  'campaign.finished': 'campaignId, name, reason?, counts',
  'webhook.test': 'message',
};

describe('the data of an event', () => {
  test.each(eventNames)('%s has exactly the fields of the contract', (name) => {
    const fields = Object.entries(eventDataSchemas[name].shape).map(([field, schema]) =>
      schema.safeParse(undefined).success ? `${field}?` : field,
    );
    expect(fields.sort()).toEqual(fieldsOf[name].split(', ').sort());
  });

  test('carries no other field, and null for none', () => {
    const data = { used: 1000, limit: 1000, resetAt: '2026-12-01T00:00:00.000Z' };
    const schema = eventDataSchemas['quota.exceeded'];
    expect(schema.safeParse(data).success).toBe(true);
    expect(schema.safeParse({ ...data, extra: 1 }).success).toBe(false);
    expect(schema.safeParse({ ...data, used: null }).success).toBe(false);
  });
});

test('the SDK names every event of the contract, and no other', () => {
  expect([...namesInSdk].sort()).toEqual([...eventNames].sort());
});
