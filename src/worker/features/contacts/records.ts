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
  optionalTimestamp,
  pageOf,
} from '../../openapi/schemas.ts';

export const contactSchema = z
  .object({
    contactId: uuidSchema,
    phoneNumber: phoneNumberSchema.nullable().describe('Null where only the alias is known.'),
    lid: z.string().nullable().describe('The privacy alias at the network (digits), where it is known.'),
    name: z
      .string()
      .nullable()
      .describe("As you call them, else as the address book of a number's phone does."),
    pushName: z.string().nullable().describe('As they call themselves.'),
    labels: z.array(z.string()),
    attributes: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
      .describe('Your own fields.'),
    timeZone: z.string().nullable().describe('Where they live, as you have said: `Asia/Jakarta`.'),
    country: z
      .string()
      .nullable()
      .describe('Two letters (ISO 3166), as the phone number tells; null where it tells none.'),
    consent: z
      .object({ source: z.string(), at: timestampSchema })
      .nullable()
      .describe('How you know that they agree to be written to, and since when you have said so.'),
    optedOutAt: optionalTimestamp.describe('When they asked not to be written to.'),
    firstSeenAt: timestampSchema,
    lastInboundAt: optionalTimestamp.describe(
      'When they last wrote to one of your numbers; exact for 90 days, to the hour before.',
    ),
  })
  .describe('Somebody whom the account knows. A phone number and its alias are one contact.')
  .register(answerSchemas, { id: 'Contact' });

export const contactListSchema = pageOf(contactSchema).register(answerSchemas, { id: 'ContactList' });
export const contactMergeSchema = z
  .object({ mergeId: uuidSchema.describe('Undoes it, for 30 days.'), contact: contactSchema })
  .describe('Two contacts that are one now.')
  .register(answerSchemas, { id: 'ContactMerge' });
export const contactMergeListSchema = pageOf(
  z
    .object({
      mergeId: uuidSchema.describe('Undoes it.'),
      contactId: uuidSchema.describe('The one that stayed.'),
      other: contactSchema
        .pick({ contactId: true, name: true, pushName: true, phoneNumber: true, lid: true })
        .describe('The one that became a part of it, as it was.'),
      mergedAt: timestampSchema,
      undoUntil: timestampSchema,
      canUndo: z.boolean().describe('False: another contact has its phone number or alias by now.'),
    })
    .describe('Two contacts that were made one, and can be parted again.'),
).register(answerSchemas, { id: 'ContactMergeList' });
export const contactPairSchema = z
  .object({ data: z.array(contactSchema).describe('Both, as they are now.') })
  .describe('Two contacts that were one.')
  .register(answerSchemas, { id: 'ContactPair' });

export const contactAttributeSchema = z
  .object({
    name: z.string(),
    type: attributeTypeSchema.describe('A date is a day (2026-01-31) or a time, as text.'),
    declared: z.boolean().describe('Somebody has said so; else the first value has.'),
  })
  .describe('What the values of an attribute are.')
  .register(answerSchemas, { id: 'ContactAttribute' });
export const contactAttributeListSchema = pageOf(contactAttributeSchema).register(answerSchemas, {
  id: 'ContactAttributeList',
});

export const segmentSchema = z
  .object({
    segmentId: uuidSchema,
    name: z.string(),
    filter: contactFilterSchema.describe('Whom it means: all of it must hold.'),
    createdAt: timestampSchema,
    updatedAt: timestampSchema,
  })
  .describe('A filter of contacts that has a name. Who is in it is found out whenever it is used.')
  .register(answerSchemas, { id: 'Segment' });
export const segmentListSchema = pageOf(segmentSchema).register(answerSchemas, { id: 'SegmentList' });

export const contactLabelListSchema = pageOf(
  z.object({ label: z.string() }).describe('A label that at least one contact has.'),
).register(answerSchemas, { id: 'ContactLabelList' });

export const contactImportSchema = z
  .object({
    importId: uuidSchema,
    status: z
      .enum(importStatuses)
      .describe('`running`: ask again. `failed`: see `problem`; what was taken before stays.'),
    created: z.int().describe('Rows that have made a contact.'),
    updated: z.int().describe('Rows of somebody who was a contact, also by an earlier row.'),
    refusedCount: z.int().describe('Rows that were not taken.'),
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
      .describe('Why, of the first 100 of them; the file of refused rows has all.'),
    rows: z.int().describe('Rows that are done.'),
    progress: z.number().min(0).max(1).describe('How much of the file is done.'),
    consentSource: z.string(),
    labels: z.array(z.string()).describe('Labels that everybody in it got.'),
    fileName: z.string().nullable(),
    defaultCountry: z.string().nullable(),
    mapping: z.record(z.string(), z.string()).describe('Where the columns went.'),
    problem: z.string().nullable().describe('Why it has failed.'),
    createdAt: timestampSchema,
    finishedAt: optionalTimestamp,
  })
  .describe('An import of contacts, and how far it is.')
  .register(answerSchemas, { id: 'ContactImport' });
export const contactImportListSchema = pageOf(contactImportSchema).register(answerSchemas, {
  id: 'ContactImportList',
});

const erasedCount = z.int().min(0);
export const contactErasureSchema = z
  .object({
    erasureId: uuidSchema,
    status: z.enum(['running', 'finished']).describe('`running`: ask again.'),
    erased: z
      .object({
        messages: erasedCount.describe('Messages with them that are not archived: they keep when they were.'),
        files: erasedCount.describe('Files that they sent.'),
        events: erasedCount.describe('Events about them.'),
        archived: erasedCount.describe('Messages and events in the archive.'),
        conversations: erasedCount,
        notes: erasedCount.describe('Private notes in those.'),
        campaignRecipients: erasedCount.describe('Rows of campaigns: they keep their state.'),
      })
      .describe('So far.'),
    remains: z
      .array(z.enum(erasureRemains))
      .describe('What is not erased, or not at once: `/docs/contacts` says of each why, and until when.'),
    createdAt: timestampSchema,
    finishedAt: optionalTimestamp,
  })
  .describe('A person who is being erased, or was. It does not say who.')
  .register(answerSchemas, { id: 'ContactErasure' });
