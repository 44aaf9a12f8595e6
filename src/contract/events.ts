import { z } from 'zod';
import {
  groupSettingsSchema,
  joinRequestActions,
  participantActions,
  participantSchema,
  personSchema,
} from './group.ts';
import { groupIdSchema, messageIdSchema, phoneNumberSchema, timestampSchema, uuidSchema } from './ids.ts';
import { chatTypeSchema, messageErrorCodeSchema } from './message.ts';
import { messageTypeSchema } from './messages/content.ts';
import { shownContentFields } from './messages/shown-content.ts';

/** What the sender of the message has said of it: `clientReference` of the send. */
const reference = { clientReference: z.string().optional() };

const outbound = {
  messageId: messageIdSchema,
  numberId: uuidSchema,
  to: z.string(),
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
    messageId: messageIdSchema,
    numberId: uuidSchema,
    providerMessageId: z.string(),
    from: z.string(),
    to: phoneNumberSchema,
    ...shownContentFields,
    isGroup: z.boolean(),
    pushName: z.string(),
    chatType: chatTypeSchema,
    groupId: groupIdSchema.optional(),
    senderLid: z.string().optional(),
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
  'quota.exceeded': z.strictObject({ used: z.int(), limit: z.int(), resetAt: timestampSchema }),
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
