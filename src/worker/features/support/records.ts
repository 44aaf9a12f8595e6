import { z } from 'zod';
import { timestampSchema, uuidSchema } from '../../../contract/ids.ts';
import {
  openSpanSchema,
  businessHoursSchema as storedHoursSchema,
  weekdaySchema,
} from '../../../contract/support/business-hours.ts';
import { slaPolicyFields } from '../../../contract/support/sla-policy.ts';
import { answerSchemas, pageOf } from '../../openapi/schemas.ts';

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
  .describe('When people work on certain numbers.')
  .register(answerSchemas, { id: 'BusinessHours' });

export const businessHoursListSchema = pageOf(businessHoursSchema).register(answerSchemas, {
  id: 'BusinessHoursList',
});

export const slaPolicySchema = z
  .object({
    policyId: uuidSchema,
    ...slaPolicyFields,
    name: z.string(),
    numberIds,
    labels: z.array(z.string()).describe('Only conversations with one of these labels; empty for all.'),
    createdAt: timestampSchema,
  })
  .describe('How fast people are to be answered.')
  .register(answerSchemas, { id: 'SlaPolicy' });

export const slaPolicyListSchema = pageOf(slaPolicySchema).register(answerSchemas, { id: 'SlaPolicyList' });

const spread = z.object({
  count: z.int().describe('So many were measured.'),
  medianSeconds: z.int().nullable().describe('Null: nothing was measured.'),
  p90Seconds: z.int().nullable().describe('Nine of ten were not slower.'),
});

const figures = {
  opened: z.int().describe('Conversations that were opened, or opened again, in that time.'),
  resolved: z.int().describe('So many of them are resolved.'),
  firstResponse: spread.describe(
    'From the first message to the first answer by a person, in working time of the number: all time, where it has no business hours.',
  ),
  resolution: spread.describe('From the opening until it was resolved, in working time of the number.'),
  missed: z
    .object({ firstResponse: z.int(), nextResponse: z.int(), resolution: z.int() })
    .describe('Targets of SLA policies that were not kept.'),
  ratings: z
    .object({ count: z.int(), average: z.number().nullable() })
    .describe('What people have answered to the survey, from 1 to 5.'),
};

export const supportReportSchema = z
  .object({
    since: timestampSchema,
    until: timestampSchema,
    by: z.enum(['agent', 'team', 'number', 'day']),
    total: z.object(figures),
    groups: z
      .array(
        z.object({
          key: z
            .string()
            .nullable()
            .describe(
              'The id of the agent, team or number, or the day (UTC) on which they were opened: `2026-01-31`. Null: nobody.',
            ),
          name: z.string().nullable().describe('Of the agent, team or number, while it is there.'),
          ...figures,
        }),
      )
      .describe('Days oldest first and without gaps; others with the most conversations first.'),
    isComplete: z.boolean().describe('False: there were more than 50,000, and the newest were looked at.'),
  })
  .describe('How fast people were answered.')
  .register(answerSchemas, { id: 'SupportReport' });
