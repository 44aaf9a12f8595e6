import { z } from 'zod';
import { sealedPlaceSchema } from '../sealed-bytes.ts';

/** Sides of the pictures that phones show before the file is there, and what such a picture may take. */
export const thumbnailSideMax = 72;
const thumbnailBytesMax = 16_384;
/** How many bars a phone draws of a voice note, each 0 to 100. */
export const waveformBars = 64;

const side = z.int().positive();

/** What a phone shows of a file before it has it, as far as it could be found out. */
export const previewSchema = z.strictObject({
  /** A small JPEG, in base64 as the waveform is. */
  thumbnail: z.base64().max(thumbnailBytesMax).optional(),
  width: side.optional(),
  height: side.optional(),
  seconds: z.int().nonnegative().optional(),
  waveform: z.base64().max(128).optional(),
  pages: z.int().positive().optional(),
  isAnimated: z.literal(true).optional(),
});
export type Preview = z.infer<typeof previewSchema>;

/** A file of which a preview is wanted: sealed, as it is uploaded, and what opens it. */
export const previewJobSchema = sealedPlaceSchema.extend({
  mimetype: z.string().optional(),
  isVoice: z.boolean(),
});
export type PreviewJob = z.infer<typeof previewJobSchema>;
