import { z } from 'zod';
import { attributesSchema } from '../../../../contract/contacts/attributes.ts';
import { consentSourceSchema, labelsSchema } from '../../../../contract/contacts/contact.ts';
import {
  columnMappingSchema,
  importedContactsMax,
  type RowRefusal,
  refusedShownMax,
} from '../../../../contract/contacts/import.ts';
import { uuidSchema } from '../../../../contract/ids.ts';
import { isoTime } from '../../../../contract/times.ts';
import type { NumberedContact } from '../../../../durable/event-log/contacts/imports/contact-imports.ts';
import type { ContactImport } from '../../../../durable/event-log/contacts/imports/import-rows.ts';
import { isPlainText, plainTextProblem } from '../../../http/request/shared-fields.ts';
import { isCountry } from '../../messages/sending/recipient.ts';
import { judgeContact } from '../judge-contact.ts';
import { jsonParameter } from '../list-filter.ts';

const defaultCountrySchema = z
  .string()
  .refine(isCountry, 'Must be a country code of two capital letters, such as ID or BR.');
const plainText = (max: number) => z.string().max(max).refine(isPlainText, plainTextProblem);

/** Contacts as JSON. What is wrong with one of them refuses that one. */
export const importBody = z.strictObject({
  contacts: z
    .array(
      z.strictObject({
        phoneNumber: plainText(200),
        name: plainText(1000).optional(),
        labels: z.array(plainText(200)).max(200).optional(),
        attributes: attributesSchema.optional(),
        timeZone: plainText(200).optional(),
      }),
    )
    .min(1)
    .max(importedContactsMax),
  consentSource: consentSourceSchema,
  labels: labelsSchema.optional(),
  defaultCountry: defaultCountrySchema.optional(),
  importId: uuidSchema.optional(),
});

/** What goes with a file, in the query or in fields of its form. */
export const importFileFields = z.strictObject({
  consentSource: consentSourceSchema.optional(),
  mapping: jsonParameter(columnMappingSchema).optional(),
  labels: z
    .string()
    .max(2000)
    .transform((text) =>
      text
        .split(',')
        .map((label) => label.trim())
        .filter(Boolean),
    )
    .pipe(labelsSchema)
    .optional()
    .meta({ type: 'string' }),
  defaultCountry: defaultCountrySchema.optional(),
  importId: uuidSchema.optional(),
  fileName: plainText(200).optional(),
});

/** Judges the contacts of a body, one by one. */
export function judgeAll(
  { contacts, defaultCountry }: z.output<typeof importBody>,
  known: ReadonlySet<string>,
) {
  const fit: NumberedContact[] = [];
  const refused: RowRefusal[] = [];
  for (const [index, raw] of contacts.entries()) {
    const row = index + 1;
    const judged = judgeContact(raw, defaultCountry ?? null, known);
    if (judged.ok) fit.push({ row, contact: judged.contact });
    else {
      const { code, path, message } = judged;
      refused.push({ row, code, path, message });
    }
  }
  return { fit, refused };
}

export function shownImport(it: ContactImport) {
  const { importId, status, about, place, row, created, updated, refusedCount, problem } = it;
  const { consentSource, labels, fileName, defaultCountry, mapping, shape } = about;
  return {
    importId,
    status,
    created,
    updated,
    refusedCount,
    refused: it.refused.slice(0, refusedShownMax).map((refusal) => ({
      row: refusal.row,
      error: {
        code: refusal.code,
        message: refusal.message,
        details: [{ path: refusal.path, message: refusal.message }],
      },
    })),
    rows: row,
    progress: shape === null || status === 'finished' ? 1 : Math.min(1, place / shape.bytes),
    consentSource,
    labels,
    fileName,
    defaultCountry,
    mapping,
    problem,
    createdAt: isoTime(it.createdAt),
    finishedAt: isoTime(it.finishedAt),
  };
}
