import { z } from 'zod';
import { sealedPlaceSchema } from '../sealed-bytes.ts';

/** Longer sound is not made a voice note. */
export const voiceSecondsMax = 15 * 60;

/** A file of which a voice note is to be made, and the path at which it is to lie, sealed as sound is. */
export const voiceJobSchema = z.strictObject({ source: sealedPlaceSchema, path: z.string() });
export type VoiceJob = z.infer<typeof voiceJobSchema>;

/** The voice note at the path of the job. `sha256` is lower-case hex, the others are base64. */
const voiceNoteSchema = z.strictObject({
  mediaKey: z.base64(),
  encSha256: z.base64(),
  sha256: z.hex(),
  bytes: z.int().positive(),
});
export type VoiceNote = z.infer<typeof voiceNoteSchema>;

/** What was made, or why nothing can be made of this file: the end of a sentence. */
export const voiceResultSchema = z.union([voiceNoteSchema, z.strictObject({ because: z.string() })]);
export type VoiceResult = z.infer<typeof voiceResultSchema>;
