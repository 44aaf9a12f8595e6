import { z } from 'zod';

/** Text that reads back as it was written: no NUL, no half of a surrogate pair. */
export const isPlainText = (text: string): boolean => text.isWellFormed() && !text.includes('\0');
export const plainTextProblem = 'Not valid text: it holds a NUL character or half of a surrogate pair.';

/** A name or label that people give: 1 to 100 characters, not blank. */
export const nameSchema = z
  .string()
  .min(1)
  .max(100)
  .refine((name) => name.trim() !== '', 'Must not be blank.')
  .refine(isPlainText, plainTextProblem);

/** A time, with its distance from UTC. */
export const timeText = z.iso.datetime({ offset: true, error: 'A time as 2026-01-31T09:30:00Z.' });
/** The same, as milliseconds since 1970. */
export const timeField = timeText.transform((time) => Date.parse(time));
