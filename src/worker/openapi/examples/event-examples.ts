import type { EventData, EventName } from '../../../contract/events.ts';
import { example } from './example-values.ts';

const message = { messageId: example.messageId, numberId: example.numberId };
const clientReference = 'order-1042';
const outbound = {
  ...message,
  to: example.recipient,
  chatType: 'personal',
  messageType: 'text',
  clientReference,
} as const;
const providerMessageId = '3EB0A1B2C3D4E5F60718';
const receipt = {
  ...message,
  providerMessageId,
  messageStatus: 'delivered',
  deliveredAt: '2026-01-31T09:30:01.912Z',
  chat: `${example.recipient}@s.whatsapp.net`,
  recipient: example.recipient,
  isGroup: false,
  clientReference,
} as const;
const group = {
  numberId: example.numberId,
  groupId: example.groupId,
  subject: 'Rollout in Jakarta',
};
/** Of a campaign that has not begun. */
export const noCampaignCounts = {
  recipients: 0,
  pending: 0,
  queued: 0,
  sent: 0,
  delivered: 0,
  read: 0,
  failed: 0,
  replied: 0,
  optedOut: 0,
  skipped: 0,
  cancelled: 0,
};
const campaignCounts = { ...noCampaignCounts, recipients: 1200 };
const campaign = { campaignId: example.campaignId, name: 'Spring collection' };
const device = { numberId: example.numberId, phoneNumber: example.phoneNumber };

/** The `data` of one event of each kind; an event missing here does not compile. */
const conversation = {
  conversationId: example.conversationId,
  numberId: example.numberId,
  contactId: example.contactId,
};

export const eventExamples: { [Name in EventName]: EventData<Name> } = {
  'message.queued': { ...outbound, status: 'queued' },
  'message.sent': { ...outbound, providerMessageId, status: 'sent', sentAt: '2026-01-31T09:30:00.480Z' },
  'message.delivered': { ...receipt, status: 'delivered' },
  'message.read': { ...receipt, status: 'read', readAt: '2026-01-31T09:31:12.040Z' },
  'message.failed': {
    ...outbound,
    status: 'failed',
    errorMessage: 'The network restricts this number from messaging new contacts (463).',
    errorCode: 'network_463',
  },
  'message.received': {
    ...message,
    providerMessageId: '3A0F1E2D3C4B5A697887',
    from: example.recipient,
    to: example.phoneNumber,
    messageType: 'text',
    text: 'When does it arrive?',
    isGroup: false,
    pushName: 'Budi',
    chatType: 'personal',
  },
  'message.media': {
    ...message,
    media: {
      mediaId: example.mediaId,
      mimetype: 'image/jpeg',
      bytes: 52113,
      sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      status: 'ready',
      url: `https://gateway.example.com/v1/media/${example.mediaId}?account=…&expires=…&signature=…`,
    },
  },
  'device.connected': { ...device, connectedAt: '2026-01-31T08:00:02.500Z' },
  'device.disconnected': {
    ...device,
    reason: 'The connection to the network was lost.',
    lastSeenAt: '2026-01-31T09:29:58.001Z',
  },
  'device.logged_out': {
    ...device,
    reason: 'The device was removed from the linked devices on the phone.',
  },
  'group.created': group,
  'group.updated': { ...group, changes: { subject: group.subject, isAnnounce: true } },
  'group.participants': {
    ...group,
    action: 'add',
    participants: [{ phoneNumber: example.recipient, lid: '100000000000017', role: 'member' }],
  },
  'group.join_request': {
    ...group,
    action: 'created',
    participants: [{ phoneNumber: example.recipient, lid: '100000000000017' }],
  },
  'device.pairing': {
    numberId: example.numberId,
    method: 'code',
    code: 'K7QW2M9R',
    expiresAt: '2026-01-31T09:03:00.000Z',
  },
  'contact.updated': {
    contactId: example.contactId,
    phoneNumber: example.recipient,
    lid: '100000000000017',
    name: 'Budi Santoso',
    pushName: 'Budi',
  },
  'quota.exceeded': { used: 1000, limit: 1000, resetAt: '2026-02-01T00:00:00.000Z' },
  'message.edited': {
    ...message,
    providerMessageId: '3A0F1E2D3C4B5A697887',
    chat: `${example.recipient}@s.whatsapp.net`,
    direction: 'inbound',
    text: 'When does it arrive, please?',
    editedAt: '2026-01-31T09:33:00.000Z',
  },
  'message.deleted': {
    ...message,
    providerMessageId,
    chat: `${example.recipient}@s.whatsapp.net`,
    direction: 'outbound',
    deletedAt: '2026-01-31T09:34:10.512Z',
  },
  'message.reaction': {
    ...message,
    chat: `${example.recipient}@s.whatsapp.net`,
    from: example.recipient,
    emoji: '👍',
    reactedAt: '2026-01-31T09:31:30.000Z',
  },
  'message.sent_from_phone': {
    ...message,
    providerMessageId: '3A1B2C3D4E5F60718293',
    to: example.recipient,
    messageType: 'text',
    text: 'Tomorrow at noon.',
    isGroup: false,
    pushName: 'The shop',
    chatType: 'personal',
  },
  'poll.voted': {
    ...message,
    from: example.recipient,
    options: ['In the morning'],
    votedAt: '2026-01-31T09:36:02.000Z',
  },
  'call.received': {
    numberId: example.numberId,
    callId: 'A1B2C3D4E5F60718',
    from: example.recipient,
    isVideo: false,
    isGroup: false,
    at: '2026-01-31T09:40:00.000Z',
  },
  'conversation.created': { ...conversation, status: 'open', changes: {} },
  'conversation.updated': {
    ...conversation,
    status: 'open',
    assigneeId: example.colleagueId,
    changes: { assigneeId: example.colleagueId },
  },
  'campaign.started': { ...campaign, counts: noCampaignCounts },
  'campaign.paused': {
    ...campaign,
    reason: 'failure_rate',
    counts: { ...campaignCounts, pending: 960, sent: 226, delivered: 214, read: 118, failed: 14 },
  },
  'campaign.finished': {
    ...campaign,
    counts: { ...campaignCounts, sent: 1188, delivered: 1170, read: 804, failed: 12, replied: 96 },
  },
  'webhook.test': { message: 'This is a test.' },
};
