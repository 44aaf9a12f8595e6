import { z } from 'zod';
import type { ErrorCode } from '../errors.ts';
import { attributeNameSchema, attributeTypeSchema } from './attributes.ts';

/** Contacts in one import as JSON; a file may have any number of rows. */
export const importedContactsMax = 1000;
export const importFileBytesMax = 100 * 1024 * 1024;
/** Refused rows that an answer names; all of them stand in a file. */
export const refusedShownMax = 100;

/** What a column of a file may hold, but for attributes. */
export const importFields = ['phoneNumber', 'name', 'labels', 'timeZone'] as const;
const attributeField = /^attributes\.([A-Za-z][A-Za-z0-9_]{0,49})(?::([a-z]+))?$/;

/** Where the cells of a column go: a field, or `attributes.<name>`, with `:<type>` where it is none that is known. */
const importTargetSchema = z
  .string()
  .max(80)
  .refine(
    (target) => attributeTargetOf(target) !== null || (importFields as readonly string[]).includes(target),
    'One of phoneNumber, name, labels, timeZone, attributes.<name>, attributes.<name>:<type>.',
  );

/** By the names of the columns. */
export const columnMappingSchema = z
  .record(z.string().max(200), importTargetSchema)
  .refine(
    (mapping) => Object.values(mapping).filter((target) => target === 'phoneNumber').length === 1,
    'One column must be the phoneNumber.',
  )
  .refine((mapping) => {
    const targets = Object.values(mapping).map((target) => target.split(':')[0]);
    return new Set(targets).size === targets.length;
  }, 'Two columns go to the same place.')
  .refine((mapping) => Object.keys(mapping).length <= 60, 'At most 60 columns.');
export type ColumnMapping = z.infer<typeof columnMappingSchema>;

/** The attribute that a target names; null: it names none. */
export function attributeTargetOf(
  target: string,
): { name: string; type: z.infer<typeof attributeTypeSchema> | null } | null {
  const [, name, type] = attributeField.exec(target) ?? [];
  if (name === undefined || !attributeNameSchema.safeParse(name).success) return null;
  if (type === undefined) return { name, type: null };
  const known = attributeTypeSchema.safeParse(type);
  return known.success ? { name, type: known.data } : null;
}

/** Why a row was not taken; `path`: its field. */
export interface RowRefusal {
  /** The first contact of the file is row 1. */
  row: number;
  code: ErrorCode;
  path: string;
  message: string;
}

export const importStatuses = ['running', 'finished', 'failed'] as const;
export type ImportStatus = (typeof importStatuses)[number];
