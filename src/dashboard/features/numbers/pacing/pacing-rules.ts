import { z } from 'zod';
import type { PhoneNumber } from '../../../../sdk/index.ts';

type Pacing = PhoneNumber['pacing'];

/** What the form holds: seconds where the API has milliseconds, text where a field may be empty. */
export interface PacingFields {
  minSeconds: number;
  maxSeconds: number;
  dailyLimit: number | '';
  recipientSeconds: number;
  typing: boolean;
  isQuiet: boolean;
  quietFrom: string;
  quietTo: string;
  timeZone: string;
  warmUp: string;
}

export const fieldsOf = (pacing: Pacing): PacingFields => ({
  minSeconds: pacing.minDelayMs / 1000,
  maxSeconds: pacing.maxDelayMs / 1000,
  dailyLimit: pacing.dailyLimit ?? '',
  recipientSeconds: pacing.recipientIntervalMs / 1000,
  typing: pacing.typing,
  isQuiet: pacing.quietHours !== null,
  quietFrom: pacing.quietHours?.start ?? '21:00',
  quietTo: pacing.quietHours?.end ?? '07:00',
  timeZone: pacing.timeZone,
  warmUp: pacing.warmUp?.join(', ') ?? '',
});

const days = (text: string): number[] | null => (text.trim() === '' ? null : text.split(',').map(Number));

export const pacingOf = (fields: PacingFields): Pacing => ({
  minDelayMs: Math.round(fields.minSeconds * 1000),
  maxDelayMs: Math.round(fields.maxSeconds * 1000),
  dailyLimit: fields.dailyLimit === '' ? null : fields.dailyLimit,
  recipientIntervalMs: Math.round(fields.recipientSeconds * 1000),
  typing: fields.typing,
  quietHours: fields.isQuiet ? { start: fields.quietFrom, end: fields.quietTo } : null,
  timeZone: fields.timeZone,
  warmUp: days(fields.warmUp),
});

/** Words for each rule that can be broken. */
interface Sentences {
  range: (min: number, max: number) => string;
  minMax: string;
  warmUp: string;
}

const secondsMax = 3_600;
const dailyLimitMax = 1_000_000;

export function pacingRules(say: Sentences) {
  const seconds = z
    .number(say.range(0, secondsMax))
    .min(0, say.range(0, secondsMax))
    .max(secondsMax, say.range(0, secondsMax));
  const limit = say.range(1, dailyLimitMax);
  return z
    .object({
      minSeconds: seconds,
      maxSeconds: seconds,
      dailyLimit: z.union([z.literal(''), z.number().int().min(1).max(dailyLimitMax)], limit),
      recipientSeconds: seconds,
      typing: z.boolean(),
      isQuiet: z.boolean(),
      quietFrom: z.string(),
      quietTo: z.string(),
      timeZone: z.string(),
      warmUp: z.string().regex(/^\s*(\d{1,6}\s*(,\s*\d{1,6}\s*)*)?$/, say.warmUp),
    })
    .refine(({ minSeconds, maxSeconds }) => maxSeconds >= minSeconds, {
      path: ['maxSeconds'],
      message: say.minMax,
    });
}

const dayMinutes = 24 * 60;
const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

/** What the settings come to. Null: no limit from that side. */
export interface DayPreview {
  perHour: number | null;
  secondsApart: number;
  hours: number;
  perDay: number | null;
  warmUp: number[];
}

export function previewOf(pacing: Pacing): DayPreview {
  const apart = (pacing.minDelayMs + pacing.maxDelayMs) / 2;
  const { quietHours } = pacing;
  const quiet =
    quietHours === null
      ? 0
      : (minutesOf(quietHours.end) - minutesOf(quietHours.start) + dayMinutes) % dayMinutes;
  const hours = (dayMinutes - quiet) / 60;
  const perHour = apart === 0 ? null : Math.floor(3_600_000 / apart);
  const byPace = perHour === null ? null : Math.floor(perHour * hours);
  const limits = [byPace, pacing.dailyLimit].filter((limit) => limit !== null);
  const perDay = limits.length === 0 ? null : Math.min(...limits);
  return {
    perHour,
    secondsApart: Math.round(apart / 100) / 10,
    hours: Math.round(hours * 10) / 10,
    perDay,
    warmUp: pacing.warmUp ?? [],
  };
}
