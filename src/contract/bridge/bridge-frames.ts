import { z } from 'zod';
import { seenContactSchema, seenContactsMax } from '../contacts/contact.ts';
import { groupIdSchema, messageIdSchema, phoneNumberSchema, timestampSchema, uuidSchema } from '../ids.ts';
import { outboundContentSchema } from '../messages/actions.ts';
import { incomingCallSchema, messageChangeSchema } from '../messages/changes.ts';
import { messageContentSchema } from '../messages/content.ts';
import { fileFactsSchema } from '../messages/media.ts';
import { chatTypeSchema } from '../messages/message.ts';
import { groupChangeSchema, groupSchema } from '../numbers/group.ts';
import { bridgeCountsSchema } from './bridge-counts.ts';
import { disconnectReasonSchema, logoutReasonSchema, pairingFailureSchema } from './device.ts';
import { networkQuerySchema, queryFailureSchema, queryVerbSchema, typingStates } from './network-queries.ts';
import { sessionSettingsSchema } from './session-settings.ts';

/**
 * Rises with every frame, field or value that an older peer would not take. A bridge says its version with each hello. The
 * edge takes its own and the one before, and its welcome says the older of both: that one both speak over this link from
 * then on. So an edge is replaced first, its bridges after it, and no number waits.
 *
 * From one version to the next frames only grow: a new frame, an optional field, a value more. Each is said only over a
 * link whose welcome allows it, and whoever does not hear it goes on as before. What is to go, or to mean something else,
 * is no longer said in one version and goes with the one after it.
 *
 * 6: the welcome says the version of both, and a bridge may say `vault.outdated`. 7: the edge may ask `chats.watch`, and a
 * bridge say `chat.typing`. 8: a lease comes with a grant, which `leases.renewed` renews, and a hello names the release.
 * 9: the welcome of a control link says how long leases hold. 10: a send that never left says why (`refusal`), messages
 * that came in bear their secrets, and a bridge may say what was sealed with one (`sealed_edit`, `sealed_reaction`).
 * 11: a bridge's status tells what it has counted (`counts`), and a message bears the trace of its request (`traceparent`).
 */
export const bridgeProtocolVersion = 11;
const oldestVersion = bridgeProtocolVersion - 1;

/** Whether a peer of this side may speak so. A bridge that is newer than its edge is refused: it knows nothing older. */
export function isSpokenVersion(version: number): boolean {
  return version >= oldestVersion && version <= bridgeProtocolVersion;
}

/** Why a hello of another version is refused; short enough for the reason of a close frame. */
export function versionRefusal(version: number): string {
  return `this edge speaks versions ${oldestVersion} and ${bridgeProtocolVersion}, the bridge ${version}`;
}

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
  /** The operator has revoked the bridge: its token opens nothing any more. */
  revoked: 4005,
} as const;

/**
 * How a bridge keeps its leases, in milliseconds. It says `ping` over its control link, and holds all its leases for
 * `validMs` from the sending of a ping that was answered, by its own clock; for less where the welcome says so, but not
 * for less than `validMsMin`, so that pings which come late do no harm. The fleet gives them to others `marginMs` later
 * than that after the last ping that it has heard, `expiresMs` at most: so at no time two bridges speak for a number.
 */
export const leaseTimes = {
  pingEveryMs: 250,
  validMs: 2_000,
  validMsMin: 1_000,
  marginMs: 250,
  expiresMs: 2_500,
} as const;

/**
 * How long a bridge may take to hand over what it has of a number that it is told to give up, in milliseconds. It may drive
 * the number meanwhile.
 */
export const revokedDrainMs = 5_000;

/** Largest frame a side may send, in bytes (the platform takes 32 MiB; a pairing with its 812 keys is about 150 KiB). */
export const frameBytesMax = 1024 * 1024;

/** What a bridge sends of facts before it waits for an acknowledgement: so many frames, or so many bytes of them. */
export const unacknowledgedFramesMax = 64;
export const unacknowledgedBytesMax = 1024 * 1024;

const epochSchema = z.int().positive();

/**
 * What the fleet has signed: this bridge drives this number under this epoch, and until then. It is the end of that time in
 * milliseconds since 1970, by the clock of the edge, and a keyed checksum in base64url. It is worth nothing without the
 * bridge's own token.
 */
export const grantSchema = z.string().regex(/^\d{13}\.[A-Za-z0-9_-]{43}$/);
/** The header of an upgrade, or of a file, that bears it. */
export const grantHeader = 'x-bridge-grant';
/**
 * In milliseconds. A grant is good for `validMs`, which is how long the edge may go on believing a bridge that has lost its
 * lease without a word of the fleet to the number. The bridge uses it for `usedMs` from when it got it, and all of them are renewed
 * every `renewEveryMs`.
 */
export const grantTimes = { validMs: 60_000, usedMs: 55_000, renewEveryMs: 20_000 } as const;

/** One sealed entry of the vault; `sealed` is base64 of what only bridges can open, null deletes the entry. */
const vaultEntrySchema = z.strictObject({ key: z.string().min(1).max(256), sealed: z.base64().nullable() });
export type VaultEntry = z.infer<typeof vaultEntrySchema>;
/** The entry that is there while a phone has linked the device, also before that has logged in for the first time. */
export const credentialsKey = 'creds';

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
    /** Of the package that it runs; for its operator. */
    release: z.string().min(1).max(64).optional(),
  }),
  /** The bridge is shutting down: give it nothing new. */
  z.strictObject({ type: z.literal('bridge.draining') }),
  /** The bridge no longer drives this number. */
  z.strictObject({ type: z.literal('lease.released'), numberId: uuidSchema, epoch: epochSchema }),
  /** How the bridge's process does, for its operator; now and then. */
  z.strictObject({
    type: z.literal('bridge.status'),
    residentBytes: z.int().nonnegative(),
    /** From version 11 on. */
    counts: bridgeCountsSchema.optional(),
  }),
]);
export type ControlUpFrame = z.infer<typeof controlUpFrameSchema>;

export const controlDownFrameSchema = z.discriminatedUnion('type', [
  /** The answer to a hello, behind all that has become of the bridge's leases: from now on its pings keep them. */
  z.strictObject({
    type: z.literal('bridge.welcome'),
    version: z.int(),
    /** So long leases hold; as {@link leaseTimes} have it where it is left out. */
    leaseMs: z.int().min(leaseTimes.validMsMin).max(leaseTimes.validMs).optional(),
  }),
  /** Drive this number under this epoch: open its link. Repeated after every hello; repeating it changes nothing. */
  z.strictObject({
    type: z.literal('lease.granted'),
    numberId: uuidSchema,
    epoch: epochSchema,
    grant: grantSchema.optional(),
  }),
  /** New grants of leases that go on. A bridge without a good one still gets its link: then the fleet is asked. */
  z.strictObject({
    type: z.literal('leases.renewed'),
    leases: z.array(z.strictObject({ numberId: uuidSchema, epoch: epochSchema, grant: grantSchema })).min(1),
  }),
  /** Stop driving this number, flush its vault, answer `lease.released`. */
  z.strictObject({ type: z.literal('lease.revoked'), numberId: uuidSchema, epoch: epochSchema }),
  /** The lease ran out and may be another bridge's: nothing more may leave for the network under it. */
  z.strictObject({ type: z.literal('lease.expired'), numberId: uuidSchema, epoch: epochSchema }),
]);
export type ControlDownFrame = z.infer<typeof controlDownFrameSchema>;

// ---------------------------------------------------------------------------------------------------------------
// Number link, bridge → PhoneNumber

/** The code of a message that was handed to the network and of which nobody can tell whether it arrived. */
export const unknownOutcomeCode = 'unknown_outcome';

/** Which hand-over of a message to a bridge it is: 1, 2, … by message, counted by the edge. */
const handOverSchema = z.int().positive();

/**
 * What became of a message that was handed to the bridge. Each repeats the number of the hand-over that the bridge knew
 * last. `sent` counts under any number, `returned` only under the current one.
 */
const sendOutcomeSchema = z.discriminatedUnion('outcome', [
  /** The network acknowledged it, or a receipt proves that it has it. */
  z.strictObject({
    outcome: z.literal('sent'),
    messageId: messageIdSchema,
    handOver: handOverSchema,
    at: timestampSchema,
    /** From the hand-over to the network's own acknowledgement; left out where a receipt was the proof. */
    ackMs: z.int().nonnegative().optional(),
  }),
  /** The network refused it, or it cannot be sent at all. Terminal. */
  z.strictObject({
    outcome: z.literal('failed'),
    messageId: messageIdSchema,
    handOver: handOverSchema,
    at: timestampSchema,
    /**
     * The network's own code, such as `463`, or {@link unknownOutcomeCode}; null where it certainly never left for the
     * network.
     */
    code: z.string().max(32).nullable(),
    /**
     * Only where `code` is null: why it never left. The network's own code for what it was asked before, or one of
     * `preparationFailures`.
     */
    refusal: z.string().max(32).optional(),
    errorMessage: z.string(),
  }),
  /** It certainly never left under this hand-over or an earlier one, and never will: the bridge no longer holds it. */
  z.strictObject({ outcome: z.literal('returned'), messageId: messageIdSchema, handOver: handOverSchema }),
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

/** A journal may hold messages as bridges wrote them that carried nothing but text. */
function upgradedInbound(message: unknown): unknown {
  if (typeof message !== 'object' || message === null || !('messageType' in message)) return message;
  const { messageType: _, text, ...rest } = message as { messageType: unknown; text?: unknown };
  return { ...rest, content: { type: 'text', text } };
}

export const inboundMessageSchema = z.preprocess(
  upgradedInbound,
  z.strictObject({
    providerMessageId: z.string(),
    at: timestampSchema,
    chatType: chatTypeSchema,
    /** The author: a phone number wherever it is known, else the alias's digits (then `senderLid` says the same). */
    from: z.string(),
    senderLid: z.string().optional(),
    groupId: z.string().optional(),
    pushName: z.string(),
    /** The owner of the number has written it, on the phone or another linked device, to this number, alias or group. */
    sentTo: z.string().optional(),
    content: messageContentSchema,
  }),
);
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
    /** When it comes back, where the network has said how long it refuses the number. */
    until: timestampSchema.optional(),
  }),
  /**
   * The network ended the session for good: a new pairing is needed. Only after a ban, which may be a mistake and be
   * lifted, is the vault still worth something.
   */
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
  /** What was done to messages that are there; behind whatever was told of these before. */
  z.strictObject({ type: z.literal('changes'), items: z.array(messageChangeSchema).min(1) }),
  z.strictObject({ type: z.literal('calls'), items: z.array(incomingCallSchema).min(1) }),
  /** The address book of the phone has these people. */
  z.strictObject({
    type: z.literal('contacts.listed'),
    at: timestampSchema,
    contacts: z.array(seenContactSchema).min(1).max(seenContactsMax),
  }),
  /** Groups as they are now, a part of a sync. */
  z.strictObject({ type: z.literal('groups.state'), groups: z.array(groupSchema).min(1) }),
  /** The end of a sync: the number is in these groups, and in no others. */
  z.strictObject({ type: z.literal('groups.synced'), groupIds: z.array(groupIdSchema), at: timestampSchema }),
  /** The network tells of a change of a group. `noticeId` tells a repeat. */
  z.strictObject({
    type: z.literal('group.notice'),
    noticeId: z.string().min(1).max(128),
    groupId: groupIdSchema,
    at: timestampSchema,
    changes: z.array(groupChangeSchema).min(1),
  }),
  z.strictObject({ type: z.literal('vault.put'), entries: z.array(vaultEntrySchema).min(1) }),
  /** What became of a file that `media.fetch` asked for: it is stored at the edge, or (null) nobody has it any more. */
  z.strictObject({ type: z.literal('media.fetched'), mediaId: uuidSchema, file: fileFactsSchema.nullable() }),
]);
export type NumberFact = z.infer<typeof numberFactSchema>;

/**
 * What a bridge may still report of a number whose lease it has lost. Its link is then report-only: the edge takes
 * these kinds, refuses the others with `fact.refused`, gives no work, and the bridge asks for nothing.
 */
export const reportOnlyFacts = [
  'send.outcomes',
  'receipts',
  'inbound',
  'changes',
  'calls',
] as const satisfies readonly NumberFact['type'][];

export const numberUpFrameSchema = z.discriminatedUnion('type', [
  /** First frame of a link. Under an epoch that is over, the link is report-only. */
  z.strictObject({
    type: z.literal('link.hello'),
    version: z.int(),
    bridgeId: uuidSchema,
    epoch: epochSchema,
  }),
  /**
   * Everything that stood in the journal when the link opened has been sent again: the object may now hand over work.
   * With a long journal this comes after many acknowledgements. A report-only link is never ready.
   */
  z.strictObject({ type: z.literal('link.ready') }),
  /**
   * A journalled fact. `seq` rises by journal, with gaps, and is acknowledged cumulatively; a repeat has the same `seq`
   * and content, and changes nothing. Frames come in order, but for repeats: the oldest one that is not acknowledged is
   * sent again after 15 s.
   *
   * `after` is the frame before it that was not acknowledged or refused when this one was sent; 0 for none. An object
   * that never got that one (it lost its memory, the socket stayed) must not take this one, nor answer: an
   * acknowledgement would cover what it has not. It waits for the repeats.
   */
  z.strictObject({
    type: z.literal('fact'),
    seq: z.int().positive(),
    after: z.int().nonnegative(),
    fact: numberFactSchema,
  }),
  z.strictObject({
    type: z.literal('vault.get'),
    requestId: z.int(),
    keys: z.array(z.string().min(1).max(256)).min(1).max(1000),
  }),
  /**
   * Some of the vault's entries that do not begin with these bytes (base64), by key, behind the one
   * given. Answered with `vault.entries`; none of them: there are no more.
   */
  z.strictObject({
    type: z.literal('vault.outdated'),
    requestId: z.int(),
    beginning: z.base64().min(1).max(64),
    after: z.string().max(256).nullable(),
  }),
  /** The content of a message sent earlier, for a recipient whose device asks for it once more. */
  z.strictObject({ type: z.literal('content.get'), requestId: z.int(), providerMessageId: z.string() }),
  /**
   * From version 7 on: the other side of a chat that is watched types, records or has stopped. It is true for a moment: it
   * is in no journal, and what is lost is not said again.
   */
  z.strictObject({
    type: z.literal('chat.typing'),
    phoneNumber: phoneNumberSchema.optional(),
    lid: z.string().min(1).max(32).optional(),
    state: z.enum(typingStates),
  }),
  /** What came of a `query`: the answer that its verb has, or why there is none. */
  z.strictObject({ type: z.literal('query.result'), queryId: z.int(), answer: z.looseObject({}) }),
  z.strictObject({
    type: z.literal('query.failed'),
    queryId: z.int(),
    verb: queryVerbSchema,
    failure: queryFailureSchema,
  }),
]);
export type NumberUpFrame = z.infer<typeof numberUpFrameSchema>;

const factTypes = numberFactSchema.options.map((option) => option.shape.type.value as string);
const factEnvelopeSchema = z.looseObject({
  type: z.literal('fact'),
  seq: z.int().positive(),
  fact: z.looseObject({ type: z.enum(factTypes) }),
});

/**
 * For a text that is no {@link numberUpFrameSchema}: the sequence number, if it is a fact of a kind that is known and
 * only its content is wrong. Such a fact is refused with `fact.refused`; anything else ends the link.
 */
export function seqOfInvalidFact(frame: unknown): number | null {
  return factEnvelopeSchema.safeParse(frame).data?.seq ?? null;
}

// ---------------------------------------------------------------------------------------------------------------
// Number link, PhoneNumber → bridge

const outboundMessageSchema = z.strictObject({
  messageId: messageIdSchema,
  /** The network's id, chosen before the first hand-over; the bridge never makes another one. */
  providerMessageId: z.string(),
  /** Digits of a phone number, a group id, or the alias of somebody known by no more: `<digits>@lid`. */
  to: z.string(),
  chatType: chatTypeSchema,
  content: outboundContentSchema,
  /**
   * Who may have sent it already: null for nobody; `you` if no other bridge was given it. Which other one it was concerns no
   * bridge.
   */
  handedTo: z.enum(['you', 'another']).nullable(),
  /** Rises with each hand-over of this message; a bridge that still holds it goes on under the new number. */
  handOver: handOverSchema,
  /**
   * How long it may still leave for the network, in milliseconds from this frame on; then the bridge returns it. A
   * duration and no time, for clocks differ.
   */
  expiresInMs: z.int().nonnegative(),
  /** How long the recipient sees that somebody is typing before it leaves, in milliseconds; 0 for not at all. */
  typingMs: z.int().min(0).max(10_000),
  /** From version 11 on: the trace that its request belongs to, where it had one. For the bridge's log alone. */
  traceparent: z.string().length(55).optional(),
});
export type OutboundMessage = z.infer<typeof outboundMessageSchema>;

export const numberDownFrameSchema = z.discriminatedUnion('type', [
  /** First frame of a link. `reportOnly`: the epoch is over, see {@link reportOnlyFacts}. */
  z.strictObject({ type: z.literal('link.welcome'), version: z.int(), reportOnly: z.boolean() }),
  /** Everything up to and including `seq` is stored or was refused: the journal may forget it. */
  z.strictObject({ type: z.literal('fact.ack'), seq: z.int().positive() }),
  /**
   * The fact under `seq` can never be taken. The bridge sets it aside and goes on. It says nothing of the facts before:
   * those are acknowledged as ever.
   */
  z.strictObject({
    type: z.literal('fact.refused'),
    seq: z.int().positive(),
    /** A code for the log, such as `invalid`, `too_large` or `report_only`. */
    reason: z.string().max(64),
  }),
  /** Connect with the credentials in the vault. While the session is open: go on under these settings. */
  z.strictObject({
    type: z.literal('session.start'),
    settings: sessionSettingsSchema.optional(),
    /**
     * Recipients of messages that another bridge had and may have sent. Keys that it has used since may be missing from
     * the vault: before it connects, the bridge forgets those that messages to these are encrypted with.
     */
    freshSessionsFor: z.array(z.string()).optional(),
  }),
  /** Forget any credentials and pair anew. `pairingId` tells a repeat of the same request from a new one. */
  z.strictObject({
    type: z.literal('session.pair'),
    pairingId: uuidSchema,
    method: z.enum(['qr', 'code']),
    phoneNumber: phoneNumberSchema.optional(),
    settings: sessionSettingsSchema.optional(),
  }),
  /** Close the session; with `logout`, remove the linked device from the network first. */
  z.strictObject({ type: z.literal('session.stop'), logout: z.boolean() }),
  z.strictObject({ type: z.literal('send'), messages: z.array(outboundMessageSchema).min(1) }),
  /** Bring the file of this message to the edge, and say what became of it with `media.fetched`; repeated until then. */
  z.strictObject({ type: z.literal('media.fetch'), message: inboundMessageSchema }),
  z.strictObject({
    type: z.literal('vault.entries'),
    requestId: z.int(),
    entries: z.array(vaultEntrySchema),
  }),
  z.strictObject({
    type: z.literal('content'),
    requestId: z.int(),
    content: outboundContentSchema.nullable(),
    /** To whom it was sent, as {@link OutboundMessage} has it. */
    to: z.string().optional(),
  }),
  /** Asks something of the network; without an answer after `deadlineMs` milliseconds nobody waits for it any more. */
  z.strictObject({
    type: z.literal('query'),
    queryId: z.int(),
    deadlineMs: z.int().positive(),
    query: networkQuerySchema,
  }),
]);
export type NumberDownFrame = z.infer<typeof numberDownFrameSchema>;
