import { z } from 'zod';
import { messageIdSchema } from '../ids.ts';
import {
  fieldOfKind,
  type MediaReference,
  type MessageContent,
  mediaReferenceSchema,
  messageTypeSchema,
  referralSchema,
  textOf,
} from './content.ts';

/** A file as the outside sees it. */
export const shownMediaSchema = mediaReferenceSchema.omit({ source: true }).extend({
  status: mediaReferenceSchema.shape.status.unwrap(),
  /** Where anybody may fetch it for an hour; only of one that is `ready`. */
  url: z.string().optional(),
});

/** What the outside sees of a message's content, on events and records: what does not apply is left out. */
export const shownContentFields = {
  messageType: messageTypeSchema,
  /** The caption of a file; empty where there are no words. */
  text: z.string(),
  media: shownMediaSchema.optional(),
  ...z.object(fieldOfKind).partial().shape,
  quotedMessageId: messageIdSchema.optional(),
  /** Digits of phone numbers, or of an alias where no phone number is known. */
  mentions: z.array(z.string()).optional(),
  isForwarded: z.boolean().optional(),
  isEphemeral: z.boolean().optional(),
  referral: referralSchema.optional(),
  /** What the network calls a kind that is not carried; `messageType` is then `unsupported`. */
  unsupportedType: z.string().optional(),
};
type ShownContent = z.infer<z.ZodObject<typeof shownContentFields>>;

/** Makes the URL of a stored file; null where the gateway does not know its own address. */
export type MediaUrlOf = (mediaId: string) => string | null;

export function shownMedia(
  { source: _, status = 'ready', ...media }: MediaReference,
  urlOf: MediaUrlOf,
): NonNullable<ShownContent['media']> {
  const url = status === 'ready' ? urlOf(media.mediaId) : null;
  return { ...media, status, ...(url !== null && { url }) };
}

/** A message's content as the outside sees it: without keys, secrets and the network's own ids. */
export function shownContent(content: MessageContent, urlOf: MediaUrlOf): ShownContent {
  const { quoted, mentions, isForwarded, isEphemeral, referral } = content;
  return {
    messageType: content.type,
    text: textOf(content),
    ...('media' in content && { media: shownMedia(content.media, urlOf) }),
    ...(content.type in fieldOfKind && { [content.type]: content[content.type as keyof typeof content] }),
    ...(content.type === 'unsupported' && { unsupportedType: content.kind }),
    ...(quoted?.messageId && { quotedMessageId: quoted.messageId }),
    ...(mentions && { mentions }),
    ...(isForwarded && { isForwarded }),
    ...(isEphemeral && { isEphemeral }),
    ...(referral && { referral }),
  };
}
