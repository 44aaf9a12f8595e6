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
const fileNameCharactersMax = 255;

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

/** What ends a path, a line or a header in a name, or turns it round so that it reads as another one. */
const slashes = /[/\\]/g;
const invisible = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;
/** The extension at the end of a name, which says what the file is. */
const extension = /\.[\p{L}\p{N}]{1,10}$/u;

/**
 * The name of a file as it may stand anywhere: in a path, a header, a list. No slash, nothing invisible, 255 characters at
 * most, of which the extension is kept. Undefined where nothing is left that names it.
 */
export function fileNameOf(given: string | null | undefined): string | undefined {
  const name = (given ?? '').toWellFormed().replaceAll(slashes, '_').replaceAll(invisible, '').trim();
  if (/^[._\s]*$/.test(name)) return undefined;
  if (name.length <= fileNameCharactersMax) return name;
  const [end = ''] = extension.exec(name) ?? [];
  return clipped(name, fileNameCharactersMax - end.length) + end;
}

/** Without half of a character at its end. */
const clipped = (text: string, units: number) => text.slice(0, units).replace(/[\ud800-\udbff]$/, '');

/** Whether a name may stand as it is. */
export const isFileName = (name: string): boolean => name !== '' && fileNameOf(name) === name;

/** A name that somebody gives: it is taken as it is, or refused. */
export const fileNameField = z
  .string()
  .refine(isFileName, 'Must be 1 to 255 characters, without slashes, line breaks or invisible characters.');
