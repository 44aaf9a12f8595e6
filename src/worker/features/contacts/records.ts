import { z } from 'zod';
import { attributeTypeSchema } from '../../../contract/contacts/attributes.ts';
import { contactFilterSchema } from '../../../contract/contacts/contact-filter.ts';
import { erasureRemains } from '../../../contract/contacts/erasure.ts';
import { importStatuses } from '../../../contract/contacts/import.ts';
import { phoneNumberSchema, timestampSchema, uuidSchema } from '../../../contract/ids.ts';
import {
  answerSchemas,
  errorCodeSchema,
  errorDetailsSchema,
  listOf,
  optionalTimestamp,
  pageOf,
  record,
} from '../../openapi/schemas.ts';

export const contactSchema = record(
  'Contact',
  'A person the account knows. A phone number and its alias are one contact.',
  {
    contactId: uuidSchema,
    phoneNumber: phoneNumberSchema.nullable().describe('Null if only the alias is known.'),
    lid: z.string().nullable().describe('The privacy alias on the network (digits), if known.'),
    name: z
      .string()
      .nullable()
      .describe("Your name for the contact, else the one in the address book of a number's phone."),
    pushName: z.string().nullable().describe('Their own name on the network.'),
    labels: z.array(z.string()),
    attributes: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
      .describe('Your own fields.'),
    timeZone: z.string().nullable().describe('Their time zone, as you set it: `Asia/Jakarta`.'),
    country: z
      .string()
      .nullable()
      .describe('Two letters (ISO 3166), from the phone number; null if unknown.'),
    consent: z
      .object({ source: z.string(), at: timestampSchema })
      .nullable()
      .describe('How you obtained their consent to be messaged, and when you recorded it.'),
    optedOutAt: optionalTimestamp.describe('When they opted out.'),
    firstSeenAt: timestampSchema,
    lastInboundAt: optionalTimestamp.describe(
      'When they last wrote to one of your numbers; exact for 90 days, to the hour before that.',
    ),
  },
);

export const contactListSchema = listOf(contactSchema, 'ContactList');
export const contactMergeSchema = record('ContactMerge', 'A merge of two contacts.', {
  mergeId: uuidSchema.describe('Undoes the merge, for 30 days.'),
  contact: contactSchema,
});
export const contactMergeListSchema = pageOf(
  z
    .object({
      mergeId: uuidSchema.describe('Undoes the merge.'),
      contactId: uuidSchema.describe('The contact that was kept.'),
      other: contactSchema
        .pick({ contactId: true, name: true, pushName: true, phoneNumber: true, lid: true })
        .describe('The other contact, as it was.'),
      mergedAt: timestampSchema,
      undoUntil: timestampSchema,
      canUndo: z
        .boolean()
        .describe(
          'False: another contact has its phone number or alias now, or the contact became part of another one.',
        ),
    })
    .describe('A merge of two contacts that can be undone.'),
).register(answerSchemas, { id: 'ContactMergeList' });
export const contactPairSchema = record('ContactPair', 'Two contacts that were merged before.', {
  data: z.array(contactSchema).describe('Both, as they are now.'),
});

export const contactAttributeSchema = record('ContactAttribute', "The type of an attribute's values.", {
  name: z.string(),
  type: attributeTypeSchema.describe('A date is a day (2026-01-31) or a time, as text.'),
  declared: z.boolean().describe('Whether the type was declared; otherwise the first value set it.'),
});
export const contactAttributeListSchema = listOf(contactAttributeSchema, 'ContactAttributeList');

export const segmentSchema = record(
  'Segment',
  'A saved filter of contacts. Its members are determined whenever it is used.',
  {
    segmentId: uuidSchema,
    name: z.string(),
    filter: contactFilterSchema.describe('The filter: all conditions must match.'),
    createdAt: timestampSchema,
    updatedAt: timestampSchema,
  },
);
export const segmentListSchema = listOf(segmentSchema, 'SegmentList');

export const contactLabelListSchema = pageOf(
  z.object({ label: z.string() }).describe('A label that at least one contact has.'),
).register(answerSchemas, { id: 'ContactLabelList' });

export const contactImportSchema = record('ContactImport', 'A contact import, and its progress.', {
  importId: uuidSchema,
  status: z
    .enum(importStatuses)
    .describe('`running`: poll again. `failed`: see `problem`; what was imported before stays.'),
  created: z.int().describe('Rows that created a contact.'),
  updated: z.int().describe('Rows of people who already were contacts, also through an earlier row.'),
  refusedCount: z.int().describe('Rows that were rejected.'),
  refused: z
    .array(
      z.object({
        row: z.int().describe('The first contact is row 1; empty rows do not count.'),
        error: z.object({
          code: errorCodeSchema,
          message: z.string(),
          details: errorDetailsSchema.optional(),
        }),
      }),
    )
    .describe('The reasons for the first 100 of them; the file of rejected rows has all.'),
  rows: z.int().describe('Rows that were processed.'),
  progress: z.number().min(0).max(1).describe('How much of the file was processed.'),
  consentSource: z.string(),
  labels: z.array(z.string()).describe('Labels added to everyone in it.'),
  fileName: z.string().nullable(),
  defaultCountry: z.string().nullable(),
  mapping: z.record(z.string(), z.string()).describe('How the columns were mapped.'),
  problem: z.string().nullable().describe('Why it failed.'),
  createdAt: timestampSchema,
  finishedAt: optionalTimestamp,
});
export const contactImportListSchema = listOf(contactImportSchema, 'ContactImportList');

const erasedCount = z.int().min(0);
export const contactErasureSchema = record(
  'ContactErasure',
  'The erasure of a person, in progress or finished. It does not say whom.',
  {
    erasureId: uuidSchema,
    status: z.enum(['running', 'finished']).describe('`running`: poll again.'),
    erased: z
      .object({
        messages: erasedCount.describe('Their messages that are not archived; times and status are kept.'),
        files: erasedCount.describe('Files they sent.'),
        events: erasedCount.describe('Events about them.'),
        archived: erasedCount.describe('Messages and events in the archive.'),
        conversations: erasedCount,
        notes: erasedCount.describe('Private notes in their conversations.'),
        campaignRecipients: erasedCount.describe('Campaign recipients; their status is kept.'),
      })
      .describe('Erased so far.'),
    remains: z
      .array(z.enum(erasureRemains))
      .describe('What is not erased, or not yet: `/docs/contacts` explains each, and until when it is kept.'),
    createdAt: timestampSchema,
    finishedAt: optionalTimestamp,
  },
);
