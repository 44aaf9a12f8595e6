import { z } from 'zod';

const isPlain = (text: string) => text.isWellFormed() && !text.includes('\0');
/** A code point each, as everywhere. */
const characters = (text: string) => [...text].length;

/** 1 to `most` characters, not only blanks. */
export const wordsSchema = (most: number) =>
  z
    .string()
    .min(1, 'At least 1 character.')
    .refine((text) => text === '' || text.trim() !== '', 'Must not be blank.')
    .refine((text) => characters(text) <= most, `At most ${most} characters.`)
    .refine(isPlain, 'Not valid text: it holds a NUL character or half of a surrogate pair.')
    .meta({ maxLength: most });
