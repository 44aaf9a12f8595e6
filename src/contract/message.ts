import { z } from 'zod';

/** The ladder of an outbound message, lowest first. `failed` stands beside it: see {@link mayFollow}. */
export const messageStatuses = ['queued', 'sent', 'delivered', 'read', 'failed'] as const;
const messageStatusSchema = z.enum(messageStatuses);
export type MessageStatus = z.infer<typeof messageStatusSchema>;

/** One rung per status; a status missing here does not compile. `failed` is terminal and comes only before `delivered`. */
const statusRank = {
  queued: 0,
  sent: 1,
  delivered: 2,
  failed: 3,
  read: 3,
} as const satisfies Record<MessageStatus, number>;

/** Whether a message in `from` may move to `to`: forward only, and into `failed` only before it was delivered. */
export function mayFollow(from: MessageStatus, to: MessageStatus): boolean {
  if (from === 'failed') return false;
  if (to === 'failed') return statusRank[from] < statusRank.delivered;
  return statusRank[to] > statusRank[from];
}

export const chatTypeSchema = z.enum(['personal', 'group']);
export type ChatType = z.infer<typeof chatTypeSchema>;

/** What a message carries. Media come with their own issue; a new type must be handled wherever this is switched on. */
const messageTypes = ['text'] as const;
export const messageTypeSchema = z.enum(messageTypes);
export type MessageType = z.infer<typeof messageTypeSchema>;

/** Characters of a text message: 1 to 4,096, as they came. */
export const textCharactersMax = 4096;

/** The body of an outbound message, as it travels from the API to the network. */
export const messageContentSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string() }),
]);
export type MessageContent = z.infer<typeof messageContentSchema>;

/** How the sender of a message was chosen. */
export const senderSourceSchema = z.enum(['pinned', 'pinned_fallback', 'pool', 'hint', 'hint_fallback']);
export type SenderSource = z.infer<typeof senderSourceSchema>;
