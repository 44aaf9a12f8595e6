import { useFormatter, useTranslations } from 'use-intl';
import { dayMs, type Weekday, weekdays } from '../../../../contract/times.ts';
import type { BusinessHours } from '../../../../sdk/index.ts';

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

export const units = { minutes: 60, hours: 3600, days: 86_400 } as const;
export type Unit = keyof typeof units;
const names = ['days', 'hours', 'minutes'] as const;

/** As people write it: in the largest unit that fits. */
export function splitOf(seconds: number): { amount: number; unit: Unit } {
  const unit = names.find((name) => seconds % units[name] === 0) ?? 'minutes';
  return { amount: seconds / units[unit], unit };
}

/** `45 min`, `1 h 10 min`, `2 d`: two units at most. */
export function useDuration() {
  const t = useTranslations('support.duration');
  return (seconds: number): string => {
    if (seconds < 60) return t('seconds', { count: seconds });
    const minutes = Math.round(seconds / 60);
    const parts = [
      ['days', Math.floor(minutes / 1440)],
      ['hours', Math.floor(minutes / 60) % 24],
      ['minutes', minutes % 60],
    ] as const;
    return parts
      .filter(([, count]) => count > 0)
      .slice(0, 2)
      .map(([name, count]) => t(name, { count }))
      .join(' ');
  };
}
