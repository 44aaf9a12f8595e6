import { z } from 'zod';
import {
  openSpanSchema,
  businessHoursSchema as storedHoursSchema,
  weekdaySchema,
} from '../../../contract/business-hours.ts';
import { timestampSchema, uuidSchema } from '../../../contract/ids.ts';
import { slaPolicyFields } from '../../../contract/sla-policy.ts';
import { pageOf } from './common.ts';

const numberIds = z
  .union([z.literal('all'), z.array(uuidSchema)])
  .describe('The numbers that it holds for; "all" includes later ones.');

const { from, to } = openSpanSchema.shape;

export const businessHoursSchema = z
  .object({
    businessHoursId: uuidSchema,
    name: z.string(),
    timeZone: storedHoursSchema.shape.timeZone,
    spans: z
      .array(z.object({ day: weekdaySchema, from, to }))
      .describe('When people work. Several on a day, over midnight where `to` is not after `from`.'),
    holidays: z
      .array(z.object({ date: z.iso.date(), name: z.string() }))
      .describe('Closed from midnight to midnight; a span that would begin on such a day is left out.'),
    numberIds,
    createdAt: timestampSchema,
  })
  .describe('When people work on certain numbers.');

export const businessHoursListSchema = pageOf(businessHoursSchema);

export const slaPolicySchema = z
  .object({
    policyId: uuidSchema,
    ...slaPolicyFields,
    name: z.string(),
    numberIds,
    labels: z.array(z.string()).describe('Only conversations with one of these labels; empty for all.'),
    createdAt: timestampSchema,
  })
  .describe('How fast people are to be answered.');

export const slaPolicyListSchema = pageOf(slaPolicySchema);
