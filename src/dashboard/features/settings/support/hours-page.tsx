import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Fragment, lazy, Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { type Weekday, weekdays } from '../../../../contract/times.ts';
import type { BusinessHours } from '../../../../sdk/index.ts';
import { gateway } from '../../../gateway/client.ts';
import { Confirm } from '../../../parts/asking/confirm.tsx';
import { Empty, QueryState } from '../../../parts/feedback.tsx';
import { businessHoursQuery, supportChanged } from '../../../queries/support.ts';
import { Section } from '../section.tsx';
import { useNumberNames } from './number-names.ts';
import classes from './support.module.css';
import { isOverMidnight, minutesOf, type Span, useDayName } from './times.ts';

const HoursDialog = lazy(() => import('./hours-dialog.tsx'));

/** When people work. */
export function HoursPage() {
  const t = useTranslations('support.hours');
  const hours = useQuery(businessHoursQuery);
  const [edited, setEdited] = useState<BusinessHours | 'new' | null>(null);
  return (
    <div className={classes.sections}>
      <Section title={t('title')} lead={t('lead')}>
        <QueryState query={hours} />
        {hours.data?.length === 0 && (
          <Empty icon="clock" title={t('emptyTitle')} lead={t('emptyLead')}>
            <Button onClick={() => setEdited('new')}>{t('add')}</Button>
          </Empty>
        )}
        {hours.data !== undefined && hours.data.length > 0 && (
          <>
            <ul className={classes.list}>
              {hours.data.map((set) => (
                <HoursSet key={set.businessHoursId} hours={set} onEdit={() => setEdited(set)} />
              ))}
            </ul>
            <Group>
              <Button onClick={() => setEdited('new')}>{t('add')}</Button>
            </Group>
          </>
        )}
      </Section>
      <Suspense>
        {edited !== null && (
          <HoursDialog hours={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
        )}
      </Suspense>
    </div>
  );
}

function HoursSet({ hours, onEdit }: { hours: BusinessHours; onEdit: () => void }) {
  const t = useTranslations('support.hours');
  const common = useTranslations('common');
  const numberNames = useNumberNames();
  const [isAsking, setAsking] = useState(false);
  const { name, timeZone, spans, holidays, numberIds } = hours;
  return (
    <li className={classes.set}>
      <div className={classes.head}>
        <div>
          <h3>{name}</h3>
          <span className={classes.quiet}>
            {t('summary', { zone: timeZone, numbers: numberNames(numberIds), holidays: holidays.length })}
          </span>
        </div>
        <Group gap="xs">
          <Button size="xs" variant="default" aria-label={common('editNamed', { name })} onClick={onEdit}>
            {common('edit')}
          </Button>
          <Button
            size="xs"
            variant="default"
            color="danger"
            aria-label={common('deleteNamed', { name })}
            onClick={() => setAsking(true)}
          >
            {common('delete')}
          </Button>
        </Group>
      </div>
      <WeekStrip spans={spans} />
      {isAsking && (
        <Confirm
          onClose={() => setAsking(false)}
          title={common('deleteTitle', { name })}
          lead={t('deleteLead')}
          action={common('delete')}
          onConfirm={async () => {
            await gateway.businessHours.delete(hours.businessHoursId);
            await supportChanged();
          }}
        />
      )}
    </li>
  );
}

const dayMinutes = 24 * 60;
const height = 10;

/** What is open of a day: its own spans, and what is left of the night before. */
function openOf(day: Weekday, spans: readonly Span[]): [number, number][] {
  const eve = weekdays[(weekdays.indexOf(day) + 6) % 7];
  return spans.flatMap((span): [number, number][] => {
    const [from, to] = [minutesOf(span.from), minutesOf(span.to)];
    if (span.day === day) return [[from, isOverMidnight(span) ? dayMinutes : to]];
    return span.day === eve && isOverMidnight(span) ? [[0, to]] : [];
  });
}

/** A week at a glance: a line for each day, lit where it is open. */
function WeekStrip({ spans }: { spans: readonly Span[] }) {
  const t = useTranslations('support.hours');
  const dayName = useDayName('short');
  return (
    <dl className={classes.week}>
      {weekdays.map((day) => {
        const own = spans.filter((span) => span.day === day);
        const hours = own.map(({ from, to }) => `${from}–${to}`).join(', ');
        return (
          <Fragment key={day}>
            <dt>{dayName(day)}</dt>
            <dd>
              <svg
                className={classes.strip}
                viewBox={`0 0 ${dayMinutes} ${height}`}
                preserveAspectRatio="none"
                role="img"
                aria-label={hours === '' ? t('closed') : hours}
              >
                <title>{hours === '' ? t('closed') : hours}</title>
                {openOf(day, spans).map(([from, to]) => (
                  <rect
                    key={from}
                    x={from}
                    y="0"
                    width={to - from}
                    height={height}
                    rx="3"
                    fill="var(--chart-2)"
                  />
                ))}
              </svg>
            </dd>
          </Fragment>
        );
      })}
    </dl>
  );
}
