import { z } from 'zod';

export const documentKinds = ['text', 'markdown', 'pdf', 'url', 'sitemap'] as const;
export type DocumentKind = (typeof documentKinds)[number];

/** `pending`: it is being read, and what was found before stands until then. */
export const documentStates = ['pending', 'ready', 'failed'] as const;
export type DocumentState = (typeof documentStates)[number];

/** Characters of one document that are kept, and pieces that they are cut into. */
export const documentCharactersMax = 2_000_000;
export const documentChunksMax = 5_000;
/** Pieces of all documents of an account. */
export const accountChunksMax = 50_000;
/** Bytes of a file that is uploaded. */
export const documentBytesMax = 10 * 1024 * 1024;
/** Pages of a sitemap that are read. */
export const sitemapPagesMax = 200;

const rereadHoursMax = 24 * 30;

/** What a person may say of a document, beside its bytes. */
export const documentFields = {
  name: z
    .string()
    .min(1)
    .max(200)
    .refine(
      (name) => name.trim() !== '' && name.isWellFormed() && !name.includes('\0'),
      'Must not be blank.',
    ),
  rereadHours: z.int().min(1).max(rereadHoursMax).nullable(),
};
