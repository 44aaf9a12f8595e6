import { useFormatter, useTranslations } from 'use-intl';
import type { Message } from '../../../../sdk/index.ts';
import { Moment } from '../../../parts/values/moment.tsx';
import classes from './message-timeline.module.css';

/** The path of a message, large: four lights on a line, with the times between them, lit as it goes. */
export function MessageTimeline({ message }: { message: Message }) {
  const t = useTranslations('messages');
  const status = useTranslations('common.status');
  const between = useDuration();
  const steps = [
    ['queued', message.queuedAt],
    ['sent', message.sentAt],
    ['delivered', message.deliveredAt],
    ['read', message.readAt],
  ] as const;
  const reached = steps.filter(([, at]) => at !== null).length;
  return (
    <section className={classes.timeline} data-status={message.status} aria-label={t('steps')}>
      <ol className={classes.steps}>
        {steps.map(([step, at], place) => {
          const before = steps[place - 1]?.[1] ?? null;
          return (
            <li key={step} data-lit={at !== null}>
              <i aria-hidden="true" />
              <b>{status(step)}</b>
              <span>
                {at !== null && <Moment at={at} />}
                {at !== null && before !== null && <small>{between(before, at)}</small>}
              </span>
            </li>
          );
        })}
      </ol>
      {message.status === 'failed' && (
        <p className={classes.failed}>
          {t('failed', { reason: message.errorMessage ?? '–' })} <Moment at={message.failedAt} />
          {message.errorCode && <code>{message.errorCode}</code>}
        </p>
      )}
      {message.hint !== undefined && <p className={classes.waits}>{t('notDelivered')}</p>}
      {message.status === 'queued' && reached === 1 && <Waits message={message} />}
    </section>
  );
}

function Waits({ message: { heldReason, expectedAt } }: { message: Message }) {
  const t = useTranslations('messages');
  const format = useFormatter();
  if (heldReason === null || heldReason === undefined) return null;
  return (
    <p className={classes.waits}>
      {t(`held.${heldReason}`)}{' '}
      {expectedAt !== null &&
        expectedAt !== undefined &&
        t('expected', {
          time: format.dateTime(new Date(expectedAt), { dateStyle: 'medium', timeStyle: 'medium' }),
        })}
    </p>
  );
}

/** How long it took from one step to the next. */
function useDuration() {
  const format = useFormatter();
  return (from: string, to: string): string => {
    const seconds = Math.max(0, (Date.parse(to) - Date.parse(from)) / 1000);
    const shown = (value: number, unit: 'millisecond' | 'second' | 'minute' | 'hour', digits: number) =>
      `+${format.number(value, { style: 'unit', unit, unitDisplay: 'narrow', maximumFractionDigits: digits })}`;
    if (seconds < 1) return shown(seconds * 1000, 'millisecond', 0);
    if (seconds < 60) return shown(seconds, 'second', 2);
    if (seconds < 3600) return shown(seconds / 60, 'minute', 1);
    return shown(seconds / 3600, 'hour', 1);
  };
}
