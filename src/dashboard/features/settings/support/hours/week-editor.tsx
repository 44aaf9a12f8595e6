import { ActionIcon, Button, TextInput } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { type Weekday, weekdays } from '../../../../../contract/times.ts';
import { Icon } from '../../../../parts/icon.tsx';
import classes from '../support.module.css';
import { isOverMidnight, type Span, useDayName } from './weekdays.ts';

/** The end of the day is no time that a field knows: midnight is. */
const shownEnd = (to: string) => (to === '24:00' ? '00:00' : to);
const storedEnd = (to: string) => (to === '00:00' ? '24:00' : to);

interface WeekEditorProps {
  spans: readonly Span[];
  onChange: (spans: Span[]) => void;
}

/** The spans of each day of the week, so many as one likes. */
export function WeekEditor({ spans, onChange }: WeekEditorProps) {
  const t = useTranslations('support.hours');
  const dayName = useDayName();
  const change = (at: number, more: Partial<Span>) =>
    onChange(spans.map((span, index) => (index === at ? { ...span, ...more } : span)));
  const add = (day: Weekday) => {
    const last = spans.filter((span) => span.day === day).at(-1);
    // Behind what is there, where that leaves room.
    const from = last === undefined || isOverMidnight(last) || last.to >= '20:00' ? '09:00' : last.to;
    onChange([...spans, { day, from, to: from === '09:00' ? '17:00' : '21:00' }]);
  };
  return (
    <section aria-label={t('week')}>
      {weekdays.map((day) => (
        <div key={day} className={classes.day}>
          <div className={classes.dayName}>{dayName(day)}</div>
          <div className={classes.spans}>
            {spans.map((span, index) =>
              span.day === day ? (
                // biome-ignore lint/suspicious/noArrayIndexKey: a span has no name but its place.
                <div key={index} className={classes.span}>
                  <TextInput
                    type="time"
                    className={classes.time}
                    aria-label={t('begins', { day: dayName(day) })}
                    value={span.from}
                    onChange={({ currentTarget: { value } }) => change(index, { from: value })}
                  />
                  <span aria-hidden="true">{'–'}</span>
                  <TextInput
                    type="time"
                    className={classes.time}
                    aria-label={t('ends', { day: dayName(day) })}
                    value={shownEnd(span.to)}
                    onChange={({ currentTarget: { value } }) => change(index, { to: storedEnd(value) })}
                  />
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={t('removeSpan', { day: dayName(day), from: span.from })}
                    onClick={() => onChange(spans.filter((_, at) => at !== index))}
                  >
                    <Icon name="close" size={16} />
                  </ActionIcon>
                  {span.from !== '' && span.to !== '' && isOverMidnight(span) && (
                    <span className={classes.quiet}>{t('nextDay')}</span>
                  )}
                </div>
              ) : null,
            )}
            <Button
              variant="subtle"
              size="compact-sm"
              leftSection={<Icon name="plus" size={14} />}
              aria-label={t('addSpanTo', { day: dayName(day) })}
              onClick={() => add(day)}
            >
              {t('addSpan')}
            </Button>
          </div>
        </div>
      ))}
    </section>
  );
}
