import { useEffect, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';

/**
 * A time in the viewer's zone, with the same in UTC on hover. `ago`: how long ago it was, kept true. A time that is not
 * known is a dash.
 */
export function Moment({ at, ago = false }: { at: string | null | undefined; ago?: boolean }) {
  const format = useFormatter();
  const t = useTranslations('common');
  const now = useMinute(ago);
  if (at === null || at === undefined) return <span>{'–'}</span>;
  const date = new Date(at);
  const isToday = date.toDateString() === new Date(now).toDateString();
  const shown = ago
    ? format.relativeTime(date, now)
    : format.dateTime(date, isToday ? { timeStyle: 'medium' } : { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <time dateTime={at} title={t('utc', { time: at.replace('T', ' ').replace('Z', '') })}>
      {shown}
    </time>
  );
}

/** The present, which moves on once in a while. */
function useMinute(isMoving: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isMoving) return;
    const timer = setInterval(() => setNow(Date.now()), 20_000);
    return () => clearInterval(timer);
  }, [isMoving]);
  return now;
}
