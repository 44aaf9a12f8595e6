import { z } from 'zod';
import { messageIdSchema } from '../ids.ts';
import { emojiUnitsMax, targetSchema } from './changes.ts';
import { messageContentSchema, textUnitsMax } from './content.ts';

/** How long after it was sent a message can be changed, and taken back. The network refuses it later. */
export const editableMs = 15 * 60_000;
export const deletableMs = 2 * 24 * 3_600_000;

const action = {
  /** The account's own id of the message that it is done to, and the network's name for it. */
  targetId: messageIdSchema,
  target: targetSchema,
};

/** What the account does to a message that is there: it travels as a message of its own, and is none. */
const messageActionSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('edit'), ...action, text: z.string().max(textUnitsMax) }),
  z.strictObject({ type: z.literal('delete'), ...action }),
  /** An empty emoji takes the reaction back. */
  z.strictObject({ type: z.literal('reaction'), ...action, emoji: z.string().max(emojiUnitsMax) }),
  z.strictObject({ type: z.literal('read'), ...action }),
]);
export type MessageAction = z.infer<typeof messageActionSchema>;

/** What is handed to a number, and by it to the network. */
export const outboundContentSchema = z.discriminatedUnion('type', [
  ...messageContentSchema.options,
  ...messageActionSchema.options,
]);
export type OutboundContent = z.infer<typeof outboundContentSchema>;

const actionTypes: readonly string[] = messageActionSchema.options.map(({ shape }) => shape.type.value);

export const isAction = (content: OutboundContent): content is MessageAction =>
  actionTypes.includes(content.type);
