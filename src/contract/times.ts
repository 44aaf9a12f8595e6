/** A time as answers and events write it: ISO 8601, UTC, milliseconds. `at`: milliseconds since 1970. */
export function isoTime(at: number): string;
export function isoTime(at: number | null | undefined): string | null;
export function isoTime(at: number | null | undefined): string | null {
  return at === null || at === undefined ? null : new Date(at).toISOString();
}

/** The day that a time is on, in UTC: `2026-01-31`. */
export const utcDay = (at: number): string => isoTime(at).slice(0, 10);

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
/** A day in UTC; a local one can be shorter or longer. */
export const dayMs = 24 * hourMs;

/** As a week begins by ISO 8601. */
export const weekdays = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;
export type Weekday = (typeof weekdays)[number];
