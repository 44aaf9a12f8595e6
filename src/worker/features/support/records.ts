import { z } from 'zod';
import { timestampSchema, uuidSchema } from '../../../contract/ids.ts';
import {
  openSpanSchema,
  businessHoursSchema as storedHoursSchema,
  weekdaySchema,
} from '../../../contract/support/business-hours.ts';
import { slaPolicyFields } from '../../../contract/support/sla-policy.ts';
import { listOf, record } from '../../openapi/schemas.ts';

const numberIds = z
  .union([z.literal('all'), z.array(uuidSchema)])
  .describe('The numbers they apply to; "all" includes later ones.');

const { from, to } = openSpanSchema.shape;

export const businessHoursSchema = record('BusinessHours', 'When your team works, for certain numbers.', {
  businessHoursId: uuidSchema,
  name: z.string(),
  timeZone: storedHoursSchema.shape.timeZone,
  spans: z
    .array(z.object({ day: weekdaySchema, from, to }))
    .describe(
      'When your team works. A day may have several intervals, past midnight if `to` is not after `from`.',
    ),
  holidays: z
    .array(z.object({ date: z.iso.date(), name: z.string() }))
    .describe('Closed from midnight to midnight; an interval that would begin on such a day is skipped.'),
  numberIds,
  createdAt: timestampSchema,
});

export const businessHoursListSchema = listOf(businessHoursSchema, 'BusinessHoursList');

export const slaPolicySchema = record('SlaPolicy', 'How fast people must get a reply.', {
  policyId: uuidSchema,
  ...slaPolicyFields,
  name: z.string(),
  numberIds,
  labels: z.array(z.string()).describe('Only conversations with one of these labels. Empty: all.'),
  createdAt: timestampSchema,
});

export const slaPolicyListSchema = listOf(slaPolicySchema, 'SlaPolicyList');

const spread = z.object({
  count: z.int().describe('Number of measurements.'),
  medianSeconds: z.int().nullable().describe('Null: no measurements.'),
  p90Seconds: z.int().nullable().describe('Nine out of ten were at least this fast.'),
});

const figures = {
  opened: z.int().describe('Conversations that were opened, or reopened, in the period.'),
  resolved: z.int().describe('How many of them are resolved.'),
  firstResponse: spread.describe(
    "From the first message to the first reply by a person, in the number's business hours; all time if it has none.",
  ),
  resolution: spread.describe(
    "From opening to resolution, in the number's business hours; all time if it has none.",
  ),
  missed: z
    .object({ firstResponse: z.int(), nextResponse: z.int(), resolution: z.int() })
    .describe('Missed targets of SLA policies.'),
  ratings: z
    .object({ count: z.int(), average: z.number().nullable() })
    .describe('Survey replies, from 1 to 5.'),
};

export const supportReportSchema = record('SupportReport', 'How fast people got a reply.', {
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
            'The ID of the agent, team or number, or the day (UTC) on which they were opened: `2026-01-31`. Null: unassigned.',
          ),
        name: z.string().nullable().describe('The name of the agent, team or number, while it exists.'),
        ...figures,
      }),
    )
    .describe('By day: oldest first, without gaps; otherwise most conversations first.'),
  isComplete: z.boolean().describe('False: there were more than 50,000, and only the newest were included.'),
});
