import { useFormatter } from 'use-intl';
import { dayMs, hourMs, minuteMs } from '../../../../contract/times.ts';
import { Store, useStore } from '../../../gateway/store.ts';

/** A time in as few letters as tell it: of today the hour, of this week the day, else the date. `isAge`: how long ago. */
export function ShortTime({ at, isAge = false }: { at: string; isAge?: boolean }) {
  const format = useFormatter();
  const now = useMinute();
  const date = new Date(at);
  return (
    <time dateTime={at} title={format.dateTime(date, { dateStyle: 'full', timeStyle: 'short' })}>
      {isAge ? age() : shown()}
    </time>
  );

  function age(): string {
    const ms = Math.max(0, now - date.getTime());
    const unit = ms < hourMs ? 'minute' : ms < dayMs ? 'hour' : 'day';
    const amount = Math.floor(ms / { minute: minuteMs, hour: hourMs, day: dayMs }[unit]);
    const shownAmount = format.number(Math.max(1, amount), { style: 'unit', unit, unitDisplay: 'short' });
    return amount === 0 ? `< ${shownAmount}` : shownAmount;
  }

  function shown(): string {
    const age = now - date.getTime();
    if (date.toDateString() === new Date(now).toDateString())
      return format.dateTime(date, { timeStyle: 'short' });
    if (age < 6 * dayMs) return format.dateTime(date, { weekday: 'short' });
    const isThisYear = date.getFullYear() === new Date(now).getFullYear();
    return format.dateTime(date, isThisYear ? { day: 'numeric', month: 'short' } : { dateStyle: 'short' });
  }
}

/** One clock for all rows: the present, which moves on every half minute while the page is open. */
const minute = new Store(Date.now());
const everyMs = 30_000;
setInterval(() => minute.set(Date.now()), everyMs);

const useMinute = (): number => useStore(minute);
