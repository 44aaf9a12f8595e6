import { z } from 'zod';

/** Rises when an older release could not read a backup any more. 2: an object may be in several files. */
export const backupFormat = 2;

const sealedSchema = z.object({ file: z.string(), sha256: z.string(), bytes: z.number() });
export type SealedFile = z.infer<typeof sealedSchema>;

/** What a backup holds: sealed as everything else in it. */
export const manifestSchema = z.object({
  format: z.number().int(),
  /** Of the product. */
  release: z.string(),
  madeAt: z.iso.datetime(),
  kind: z.enum(['local', 'deployment']),
  /** The steps of each schema, by kind of object, and of D1. */
  steps: z.record(z.string(), z.array(z.string())),
  /** By which the secrets are known that the rest is worth nothing without. */
  marks: z.record(z.string(), z.string()),
  objects: z.array(
    sealedSchema.extend({
      kind: z.string(),
      name: z.string(),
      accountId: z.string().nullable(),
      rows: z.number(),
      /** All its files, in their order, the first included; left out: that is the only one. */
      pieces: z.array(sealedSchema).optional(),
    }),
  ),
  database: sealedSchema,
  files: z.array(sealedSchema.extend({ bucket: z.string(), key: z.string(), etag: z.string() })),
  /** The secrets, and what else a state folder holds; null: a deployment whose secrets were not given. */
  home: sealedSchema.nullable(),
});
export type Manifest = z.infer<typeof manifestSchema>;

/** In the manifest's `home`. */
export const homeSchema = z.object({
  /** `secrets.json` of a state folder, or the secrets of a deployment by their names. */
  secrets: z.record(z.string(), z.unknown()),
  account: z.unknown(),
  simulator: z.record(z.string(), z.string()),
});
export type HomeCopy = z.infer<typeof homeSchema>;
