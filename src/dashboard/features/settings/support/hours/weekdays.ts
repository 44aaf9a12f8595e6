import { useFormatter } from 'use-intl';
import { dayMs, type Weekday, weekdays } from '../../../../../contract/times.ts';
import type { BusinessHours } from '../../../../../sdk/index.ts';

export type Span = BusinessHours['spans'][number];

/** A Monday. */
const monday = Date.UTC(2026, 0, 5);

/** The days of the week as the language calls them. */
export function useDayName(length: 'long' | 'short' = 'long') {
  const format = useFormatter();
  return (day: Weekday): string =>
    format.dateTime(new Date(monday + weekdays.indexOf(day) * dayMs), { weekday: length, timeZone: 'UTC' });
}

export const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
export const isOverMidnight = ({ from, to }: Span): boolean => minutesOf(to) <= minutesOf(from);
