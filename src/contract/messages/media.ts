import { z } from 'zod';
import { uuidSchema } from '../ids.ts';
import { mebibyte } from './media-kinds.ts';

/** Largest file that a send may carry itself, before it is written in base64. */
export const inlineBytesMax = 5 * mebibyte;

/** How long a stored file is kept, in days. */
export const mediaDaysKept = 30;
/** How long a signed URL of a file is good, in seconds. */
export const mediaUrlSeconds = 3600;
/** Characters of a file's name. */
export const fileNameCharactersMax = 255;

/** `image/jpeg`: a type and its subtype in lower case, without parameters. */
export const mimetypeSchema = z
  .string()
  .regex(/^[a-z]+\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/, 'Not a media type, such as image/jpeg.');

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
