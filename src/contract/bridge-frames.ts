import { z } from 'zod';
import { disconnectReasonSchema, logoutReasonSchema, pairingFailureSchema } from './device.ts';
import { messageIdSchema, phoneNumberSchema, timestampSchema, uuidSchema } from './ids.ts';
import { chatTypeSchema, messageContentSchema, messageTypeSchema } from './message.ts';

/** Rises when a frame changes so that an older peer would misread it. Both sides refuse another version by name. */
export const bridgeProtocolVersion = 2;

/** WebSocket close codes of our own (RFC 6455 leaves 4000 to 4999 to applications). */
export const linkCloseCodes = {
  /** A newer link for the same number, or a newer control link of the same bridge, took over. */
  replaced: 4001,
  /** The lease of this epoch is over; the bridge must give the number up. */
  staleEpoch: 4002,
  /** The other side speaks another protocol version or sent what is no frame. */
  protocolError: 4003,
  /** The number or the object behind it was deleted. */
  gone: 4004,
} as const;

/** Largest frame a side may send, in bytes (the platform takes 32 MiB; a pairing with its 812 keys is about 150 KiB). */
export const frameBytesMax = 1024 * 1024;

const epochSchema = z.int().positive();

/** One sealed entry of the vault; `sealed` is base64 of what only bridges can open, null deletes the entry. */
const vaultEntrySchema = z.strictObject({ key: z.string().min(1).max(256), sealed: z.base64().nullable() });
export type VaultEntry = z.infer<typeof vaultEntrySchema>;

// ---------------------------------------------------------------------------------------------------------------
// Control link: bridge ⇄ BridgeFleet

export const controlUpFrameSchema = z.discriminatedUnion('type', [
  /** First frame of a bridge: who it is, how many numbers it can take, and which leases it still holds. */
  z.strictObject({
    type: z.literal('bridge.hello'),
    version: z.int(),
    bridgeId: uuidSchema,
    capacity: z.int().positive(),
    leases: z.array(z.strictObject({ numberId: uuidSchema, epoch: epochSchema })),
  }),
  /** The bridge is shutting down: give it nothing new. */
  z.strictObject({ type: z.literal('bridge.draining') }),
  /** The bridge no longer drives this number. */
  z.strictObject({ type: z.literal('lease.released'), numberId: uuidSchema, epoch: epochSchema }),
]);
export type ControlUpFrame = z.infer<typeof controlUpFrameSchema>;

export const controlDownFrameSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('bridge.welcome'), version: z.int() }),
  /** Drive this number under this epoch: open its link. Repeated after every hello; repeating it changes nothing. */
  z.strictObject({ type: z.literal('lease.granted'), numberId: uuidSchema, epoch: epochSchema }),
  /** Stop driving this number, flush its vault, answer `lease.released`. */
  z.strictObject({ type: z.literal('lease.revoked'), numberId: uuidSchema, epoch: epochSchema }),
]);
export type ControlDownFrame = z.infer<typeof controlDownFrameSchema>;

// ---------------------------------------------------------------------------------------------------------------
// Number link, bridge → PhoneNumber

/** What became of a message that was handed to the bridge. */
const sendOutcomeSchema = z.discriminatedUnion('outcome', [
  /** The network acknowledged it, or a receipt proves that it has it. */
  z.strictObject({
    outcome: z.literal('sent'),
    messageId: messageIdSchema,
    at: timestampSchema,
    /** From the hand-over to the network's own acknowledgement; left out where a receipt was the proof. */
    ackMs: z.int().nonnegative().optional(),
  }),
  /** The network refused it, or it cannot be sent at all. Terminal. */
  z.strictObject({
    outcome: z.literal('failed'),
    messageId: messageIdSchema,
    at: timestampSchema,
    /** The network's own code, such as `463`; null where it never got as far as the network. */
    code: z.string().max(32).nullable(),
    errorMessage: z.string(),
  }),
  /** It certainly never left the bridge, and the bridge no longer holds it. */
  z.strictObject({ outcome: z.literal('returned'), messageId: messageIdSchema }),
]);
export type SendOutcome = z.infer<typeof sendOutcomeSchema>;

const receiptSchema = z.strictObject({
  providerMessageId: z.string(),
  kind: z.enum(['delivered', 'read']),
  at: timestampSchema,
  isGroup: z.boolean(),
  /** The recipient's phone number, where the network gave it or the mapping is known. */
  recipient: phoneNumberSchema.optional(),
  /** The recipient's privacy alias (digits), where the network used it. */
  recipientLid: z.string().optional(),
});
export type NetworkReceipt = z.infer<typeof receiptSchema>;

const inboundMessageSchema = z.strictObject({
  providerMessageId: z.string(),
  at: timestampSchema,
  chatType: chatTypeSchema,
  /** The author: a phone number wherever it is known, else the alias's digits (then `senderLid` says the same). */
  from: z.string(),
  senderLid: z.string().optional(),
  groupId: z.string().optional(),
  pushName: z.string(),
  messageType: messageTypeSchema,
  text: z.string(),
});
export type InboundMessage = z.infer<typeof inboundMessageSchema>;

/** Which request to pair it is about: a fact that comes late must not touch a newer pairing. */
const pairingFact = { pairingId: uuidSchema };

/** What happened to a session; the bridge keeps each in its journal until the object has acknowledged it. */
const numberFactSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('pairing.qr'),
    ...pairingFact,
    qr: z.string(),
    expiresAt: timestampSchema,
  }),
  z.strictObject({
    type: z.literal('pairing.code'),
    ...pairingFact,
    code: z.string(),
    expiresAt: timestampSchema,
  }),
  z.strictObject({ type: z.literal('pairing.failed'), ...pairingFact, failure: pairingFailureSchema }),
  z.strictObject({
    type: z.literal('session.connected'),
    phoneNumber: phoneNumberSchema,
    at: timestampSchema,
  }),
  z.strictObject({
    type: z.literal('session.disconnected'),
    reason: disconnectReasonSchema,
    /** When the session was last known to be alive. */
    lastSeenAt: timestampSchema,
  }),
  /** The network ended the session for good: the vault is worthless and a new pairing is needed. */
  z.strictObject({ type: z.literal('session.ended'), reason: logoutReasonSchema, at: timestampSchema }),
  /** What the network says of new chats: not before `until` (null: no end is known), or no restriction at all. */
  z.strictObject({
    type: z.literal('network.restriction'),
    isActive: z.boolean(),
    until: timestampSchema.nullable(),
  }),
  z.strictObject({ type: z.literal('send.outcomes'), items: z.array(sendOutcomeSchema).min(1) }),
  z.strictObject({ type: z.literal('receipts'), items: z.array(receiptSchema).min(1) }),
  z.strictObject({ type: z.literal('inbound'), items: z.array(inboundMessageSchema).min(1) }),
  z.strictObject({ type: z.literal('vault.put'), entries: z.array(vaultEntrySchema).min(1) }),
]);
export type NumberFact = z.infer<typeof numberFactSchema>;

export const numberUpFrameSchema = z.discriminatedUnion('type', [
  /** First frame of a link. */
  z.strictObject({
    type: z.literal('link.hello'),
    version: z.int(),
    bridgeId: uuidSchema,
    epoch: epochSchema,
  }),
  /** All facts from the journal have been sent again: the object may now hand over work. */
  z.strictObject({ type: z.literal('link.ready') }),
  /** A journalled fact; `seq` rises by journal, is acknowledged cumulatively, and a repeat changes nothing. */
  z.strictObject({ type: z.literal('fact'), seq: z.int().positive(), fact: numberFactSchema }),
  z.strictObject({
    type: z.literal('vault.get'),
    requestId: z.int(),
    keys: z.array(z.string().min(1).max(256)).min(1).max(1000),
  }),
  /** The content of a message sent earlier, for a recipient whose device asks for it once more. */
  z.strictObject({ type: z.literal('content.get'), requestId: z.int(), providerMessageId: z.string() }),
  /** The answer to `contact.check`; null where the network did not say. */
  z.strictObject({
    type: z.literal('contact.checked'),
    requestId: z.int(),
    onNetwork: z.boolean().nullable(),
  }),
]);
export type NumberUpFrame = z.infer<typeof numberUpFrameSchema>;

// ---------------------------------------------------------------------------------------------------------------
// Number link, PhoneNumber → bridge

const outboundMessageSchema = z.strictObject({
  messageId: messageIdSchema,
  /** The network's id, chosen before the first hand-over; the bridge never makes another one. */
  providerMessageId: z.string(),
  /** Digits of a phone number, or a group id. */
  to: z.string(),
  chatType: chatTypeSchema,
  content: messageContentSchema,
  /** Null on the first hand-over. Else the bridge that last had it: it may have left for the network already. */
  handedTo: uuidSchema.nullable(),
  /** From then on it must not leave for the network any more: the bridge returns it instead. */
  expiresAt: timestampSchema,
  /** How long the recipient sees that somebody is typing before it leaves, in milliseconds; 0 for not at all. */
  typingMs: z.int().min(0).max(10_000),
});
export type OutboundMessage = z.infer<typeof outboundMessageSchema>;

export const numberDownFrameSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('link.welcome'), version: z.int() }),
  /** Everything up to and including `seq` is stored: the journal may forget it. */
  z.strictObject({ type: z.literal('fact.ack'), seq: z.int().positive() }),
  /** Connect with the credentials in the vault. */
  z.strictObject({ type: z.literal('session.start') }),
  /** Forget any credentials and pair anew. `pairingId` tells a repeat of the same request from a new one. */
  z.strictObject({
    type: z.literal('session.pair'),
    pairingId: uuidSchema,
    method: z.enum(['qr', 'code']),
    phoneNumber: phoneNumberSchema.optional(),
  }),
  /** Close the session; with `logout`, remove the linked device from the network first. */
  z.strictObject({ type: z.literal('session.stop'), logout: z.boolean() }),
  z.strictObject({ type: z.literal('send'), messages: z.array(outboundMessageSchema).min(1) }),
  z.strictObject({
    type: z.literal('vault.entries'),
    requestId: z.int(),
    entries: z.array(vaultEntrySchema),
  }),
  z.strictObject({
    type: z.literal('content'),
    requestId: z.int(),
    content: messageContentSchema.nullable(),
  }),
  /** Asks the network whether a phone number is there. */
  z.strictObject({ type: z.literal('contact.check'), requestId: z.int(), phoneNumber: phoneNumberSchema }),
]);
export type NumberDownFrame = z.infer<typeof numberDownFrameSchema>;
