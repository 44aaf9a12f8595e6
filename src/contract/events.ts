import { z } from 'zod';
import { campaignCountsSchema, campaignReasonSchema } from './campaigns/campaign.ts';
import { conversationEventFields } from './conversations/conversation.ts';
import { groupIdSchema, messageIdSchema, phoneNumberSchema, timestampSchema, uuidSchema } from './ids.ts';
import { messageTypeSchema } from './messages/content.ts';
import { chatTypeSchema, messageErrorCodeSchema } from './messages/message.ts';
import { shownContentFields, shownMediaSchema } from './messages/shown-content.ts';
import {
  groupSettingsSchema,
  joinRequestActions,
  participantActions,
  participantSchema,
  personSchema,
} from './numbers/group.ts';

/** What the sender of the message has said of it: `clientReference` of the send. */
const reference = { clientReference: z.string().optional() };

const outbound = {
  messageId: messageIdSchema,
  numberId: uuidSchema,
  /** Left out where only an alias of the recipient is known: then it is `contactId` that stands there. */
  to: z.string().optional(),
  contactId: uuidSchema.optional(),
  chatType: chatTypeSchema,
  messageType: messageTypeSchema,
  ...reference,
};

const receipt = {
  messageId: messageIdSchema,
  numberId: uuidSchema,
  providerMessageId: z.string(),
  messageStatus: z.literal('delivered'),
  deliveredAt: timestampSchema,
  /** `<phone>@<network domain>`, or the group id. */
  chat: z.string(),
  recipient: z.string(),
  /** The privacy alias of the recipient: never a phone number, cannot be messaged. */
  recipientLid: z.string().optional(),
  isGroup: z.boolean(),
  ...reference,
};

/** A message that the network brought. */
const carried = {
  messageId: messageIdSchema,
  numberId: uuidSchema,
  providerMessageId: z.string(),
  ...shownContentFields,
  isGroup: z.boolean(),
  pushName: z.string(),
  chatType: chatTypeSchema,
  groupId: groupIdSchema.optional(),
};

/** A message to which something was done. */
const changed = {
  messageId: messageIdSchema,
  numberId: uuidSchema,
  providerMessageId: z.string(),
  /** `<phone>@<network domain>`, or the group id. */
  chat: z.string(),
  /** Of the message. */
  direction: z.enum(['outbound', 'inbound']),
  ...reference,
};
const campaign = {
  campaignId: uuidSchema,
  name: z.string(),
  /** Why it paused, or ended before everybody had it. */
  reason: campaignReasonSchema.optional(),
  counts: campaignCountsSchema,
};
const group = { numberId: uuidSchema, groupId: groupIdSchema, subject: z.string() };

/** The closed list of events with exactly the `data` fields of the contract; optional ones are left out, never null. */
export const eventDataSchemas = {
  'message.queued': z.strictObject({ ...outbound, status: z.literal('queued') }),
  'message.sent': z.strictObject({
    ...outbound,
    providerMessageId: z.string(),
    status: z.literal('sent'),
    sentAt: timestampSchema,
  }),
  'message.delivered': z.strictObject({ ...receipt, status: z.literal('delivered') }),
  'message.read': z.strictObject({ ...receipt, status: z.literal('read'), readAt: timestampSchema }),
  'message.failed': z.strictObject({
    ...outbound,
    status: z.literal('failed'),
    errorMessage: z.string(),
    errorCode: messageErrorCodeSchema.optional(),
  }),
  'message.received': z.strictObject({
    ...carried,
    from: z.string(),
    to: phoneNumberSchema,
    senderLid: z.string().optional(),
  }),
  /** What was pending is there, or is not to be had. */
  'message.media': z.strictObject({
    messageId: messageIdSchema,
    numberId: uuidSchema,
    media: shownMediaSchema,
  }),
  'device.connected': z.strictObject({
    numberId: uuidSchema,
    phoneNumber: phoneNumberSchema,
    connectedAt: timestampSchema,
  }),
  'device.disconnected': z.strictObject({
    numberId: uuidSchema,
    phoneNumber: phoneNumberSchema,
    reason: z.string(),
    lastSeenAt: timestampSchema,
  }),
  'device.logged_out': z.strictObject({
    numberId: uuidSchema,
    phoneNumber: phoneNumberSchema,
    reason: z.string(),
  }),
  /** A code to pair with is there, or a fresh one; with neither, the pairing is over without a device. */
  'device.pairing': z.strictObject({
    numberId: uuidSchema,
    method: z.enum(['qr', 'code']),
    qr: z.string().optional(),
    code: z.string().optional(),
    expiresAt: timestampSchema,
  }),
  'group.created': z.strictObject(group),
  'group.updated': z.strictObject({ ...group, changes: groupSettingsSchema.partial() }),
  'group.participants': z.strictObject({
    ...group,
    action: z.enum(participantActions),
    participants: z.array(participantSchema),
  }),
  'group.join_request': z.strictObject({
    ...group,
    action: z.enum(joinRequestActions),
    participants: z.array(personSchema),
  }),
  'contact.updated': z.strictObject({
    contactId: uuidSchema,
    phoneNumber: phoneNumberSchema.optional(),
    lid: z.string().optional(),
    name: z.string().optional(),
    pushName: z.string().optional(),
  }),
  'quota.exceeded': z.strictObject({ used: z.int(), limit: z.int(), resetAt: timestampSchema }),
  'message.edited': z.strictObject({ ...changed, text: z.string(), editedAt: timestampSchema }),
  'message.deleted': z.strictObject({ ...changed, deletedAt: timestampSchema }),
  'message.reaction': z.strictObject({
    messageId: messageIdSchema,
    numberId: uuidSchema,
    chat: z.string(),
    from: z.string(),
    /** Empty: it was taken back. */
    emoji: z.string(),
    reactedAt: timestampSchema,
    ...reference,
  }),
  'message.sent_from_phone': z.strictObject({ ...carried, to: z.string() }),
  'poll.voted': z.strictObject({
    messageId: messageIdSchema,
    numberId: uuidSchema,
    from: z.string(),
    /** All that are chosen now; none where the vote was taken back. */
    options: z.array(z.string()),
    votedAt: timestampSchema,
    ...reference,
  }),
  'call.received': z.strictObject({
    numberId: uuidSchema,
    callId: z.string(),
    from: z.string(),
    isVideo: z.boolean(),
    isGroup: z.boolean(),
    at: timestampSchema,
  }),
  /** `changes` is empty. */
  'conversation.created': z.strictObject(conversationEventFields),
  'conversation.updated': z.strictObject(conversationEventFields),
  /** Also when it goes on after a pause. */
  'campaign.started': z.strictObject(campaign),
  'campaign.paused': z.strictObject(campaign),
  /** Also when it was cancelled. */
  'campaign.finished': z.strictObject(campaign),
  'webhook.test': z.strictObject({ message: z.string() }),
} as const;

export type EventName = keyof typeof eventDataSchemas;
export const eventNames = Object.keys(eventDataSchemas) as [EventName, ...EventName[]];
export const eventNameSchema = z.enum(
  eventNames,
  `No event of that name. There are: ${eventNames.join(', ')}.`,
);
export type EventData<Name extends EventName> = z.infer<(typeof eventDataSchemas)[Name]>;

/** The body of every webhook callback. */
export type EventEnvelope<Name extends EventName = EventName> = {
  [N in Name]: { id: string; event: N; timestamp: string; data: EventData<N> };
}[Name];
