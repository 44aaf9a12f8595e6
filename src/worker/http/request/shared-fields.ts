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
