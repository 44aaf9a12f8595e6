import { z } from 'zod';
import { uuidSchema } from './ids.ts';

/** What a file is sent as. A voice note is `audio` too. */
export const mediaKinds = ['image', 'video', 'audio', 'document', 'sticker'] as const;
export type MediaKind = (typeof mediaKinds)[number];

const mebibyte = 1024 * 1024;

/** Largest file of each kind, in bytes. */
export const mediaBytesMax: Record<MediaKind, number> = {
  image: 16 * mebibyte,
  video: 100 * mebibyte,
  audio: 16 * mebibyte,
  document: 100 * mebibyte,
  sticker: mebibyte / 2,
};

/** Types that phones show as this kind; null: any. */
export const mediaTypes: Record<MediaKind, readonly string[] | null> = {
  image: ['image/jpeg', 'image/png', 'image/webp'],
  video: ['video/mp4', 'video/3gpp', 'video/quicktime'],
  audio: ['audio/ogg', 'audio/mpeg', 'audio/mp4', 'audio/aac', 'audio/amr', 'audio/wav'],
  document: null,
  sticker: ['image/webp'],
};
/** What a voice note has to be: Opus in Ogg. */
export const voiceType = 'audio/ogg';

/** Largest file that a send may carry itself, before it is written in base64. */
export const inlineBytesMax = 5 * mebibyte;

/** How long a stored file is kept, in days. */
export const mediaDaysKept = 30;
/** How long a signed URL of a file is good, in seconds. */
export const mediaUrlSeconds = 3600;
/** Characters of a file's name. */
export const fileNameCharactersMax = 255;

/** `image/jpeg`: a type and its subtype in lower case, without parameters. */
export const mimetypeSchema = z.string().regex(/^[a-z]+\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/);

/** What is known of a stored file. */
export const fileFactsSchema = z.strictObject({
  mediaId: uuidSchema,
  mimetype: mimetypeSchema,
  bytes: z.int().positive(),
  /** Lower-case hex. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  fileName: z.string().max(fileNameCharactersMax).optional(),
  durationSeconds: z.int().nonnegative().optional(),
  width: z.int().positive().optional(),
  height: z.int().positive().optional(),
});
export type FileFacts = z.infer<typeof fileFactsSchema>;
