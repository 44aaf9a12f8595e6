import { useEffect, useReducer } from 'react';
import { type DateTimeFormatOptions, useFormatter, useTranslations } from 'use-intl';

/**
 * A time in the viewer's zone, with the same in UTC on hover. `ago`: how long ago it was, kept true. A time that is not
 * known is a dash. `brief`: the time of today, and else the day alone.
 */
export function Moment({
  at,
  ago = false,
  brief = false,
}: {
  at: string | null | undefined;
  ago?: boolean;
  brief?: boolean;
}) {
  const format = useFormatter();
  const t = useTranslations('common');
  const now = useNow(ago);
  if (at === null || at === undefined) return <span>{'–'}</span>;
  const date = new Date(at);
  const isToday = date.toDateString() === new Date(now).toDateString();
  const isThisYear = date.getFullYear() === new Date(now).getFullYear();
  const whole: DateTimeFormatOptions = isToday
    ? { timeStyle: 'medium' }
    : { dateStyle: 'medium', timeStyle: 'short' };
  const short: DateTimeFormatOptions = isToday
    ? { timeStyle: 'short' }
    : { day: 'numeric', month: 'short', ...(!isThisYear && { year: '2-digit' }) };
  const shown = ago ? format.relativeTime(date, now) : format.dateTime(date, brief ? short : whole);
  return (
    <time dateTime={at} title={t('utc', { time: at.replace('T', ' ').replace('Z', '') })}>
      {shown}
    </time>
  );
}

/** The present, read anew by each render, and by one of its own once in a while: nothing that is shown is ahead of it. */
function useNow(isMoving: boolean): number {
  const [, renderAgain] = useReducer((turn: number) => turn + 1, 0);
  useEffect(() => {
    if (!isMoving) return;
    const timer = setInterval(renderAgain, 20_000);
    return () => clearInterval(timer);
  }, [isMoving]);
  return Date.now();
}
