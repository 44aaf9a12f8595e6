import { z } from 'zod';
import { timeOfDaySchema, timeZoneSchema } from '../clock-fields.ts';
import { numberIdsSchema } from '../ids.ts';
import { weekdays } from '../times.ts';

export const weekdaySchema = z.enum(weekdays);

const spanEndSchema = z
  .union([timeOfDaySchema, z.literal('24:00')], 'Must be a time of day such as 08:30, or 24:00 for midnight.')
  .describe('When it ends, as `HH:MM`, or `24:00`. If it is not after `from`, it ends on the next day.');

/** Working hours that begin on one day of the week. */
export const openSpanSchema = z
  .strictObject({
    day: weekdaySchema.describe('The day on which it begins.'),
    from: timeOfDaySchema.describe('When it begins, as `HH:MM` in the time zone.'),
    to: spanEndSchema,
  })
  .refine(({ from, to }) => from !== to, {
    path: ['to'],
    message: 'Must not be the same as from. A whole day is 00:00 to 24:00.',
  });
export type OpenSpan = z.infer<typeof openSpanSchema>;

/** A calendar date that exists. */
const dateSchema = z.iso.date();

const holidaySchema = z.strictObject({
  date: dateSchema.describe('A calendar date in the time zone: `2026-12-25`.'),
  name: z
    .string()
    .max(100)
    .refine((name) => !name.includes('\0'), 'Must not contain a NUL character.')
    .default('')
    .describe('The name of the holiday.'),
});

/** When people work: so many spans on a day as one likes, also over midnight, but for the holidays. */
export interface OpenHours {
  timeZone: string;
  spans: readonly OpenSpan[];
  holidays: readonly { date: string }[];
}

/** Spans in one set of hours, and holidays. */
const spansMax = 70;
const holidaysMax = 400;

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
const dayMinutes = 24 * 60;
const weekMinutes = 7 * dayMinutes;

/** The first span that begins within another one, by its place; -1: none does. Two that only touch are fine. */
export function overlappingSpan(spans: readonly OpenSpan[]): number {
  const week = spans.map(({ day, from, to }, index) => {
    const begin = weekdays.indexOf(day) * dayMinutes + minutesOf(from);
    const length = minutesOf(to) - minutesOf(from);
    return { index, begin, length: length > 0 ? length : length + dayMinutes };
  });
  return week.findIndex(({ index, begin }) =>
    week.some((other) => {
      if (other.index === index) return false;
      const behind = (begin - other.begin + weekMinutes) % weekMinutes;
      return behind < other.length && (behind > 0 || other.index < index);
    }),
  );
}

/** What a person sets of business hours. */
export const businessHoursFields = {
  name: z.string().trim().min(1).max(100),
  timeZone: timeZoneSchema.describe('The IANA time zone of the hours and holidays: `Asia/Jakarta`.'),
  spans: z
    .array(openSpanSchema)
    .min(1, 'Must have at least one: with hours that never open, no target would ever be due.')
    .max(spansMax)
    .superRefine((spans, context) => {
      const index = overlappingSpan(spans);
      if (index >= 0) {
        context.addIssue({ code: 'custom', path: [index], message: 'Overlaps another span.' });
      }
    })
    .describe(
      'When your team works. A day may have several intervals, past midnight if `to` is not after `from`.',
    ),
  holidays: z
    .array(holidaySchema)
    .max(holidaysMax)
    .superRefine((holidays, context) => {
      const index = holidays.findIndex(
        ({ date }, at) => holidays.findIndex((other) => other.date === date) < at,
      );
      if (index >= 0) {
        context.addIssue({ code: 'custom', path: [index, 'date'], message: 'Listed twice.' });
      }
    })
    .describe('Closed from midnight to midnight; an interval that would begin on such a day is skipped.'),
  numberIds: numberIdsSchema.describe(
    'The numbers they apply to. Hours that name a number take precedence over those for all, and older ones over newer ones.',
  ),
};

export const businessHoursSchema = z.strictObject(businessHoursFields);
export type BusinessHours = z.infer<typeof businessHoursSchema>;
