import { Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Fragment, lazy, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { type Weekday, weekdays } from '../../../../contract/times.ts';
import type { BusinessHours } from '../../../../sdk/index.ts';
import { gateway } from '../../../gateway/client.ts';
import { Framed } from '../../../parts/frames/page.tsx';
import { Hint } from '../../../parts/hint.tsx';
import { businessHoursQuery, supportChanged } from '../../../queries/support.ts';
import { Definitions } from '../definitions.tsx';
import { useNumberNames } from './number-names.ts';
import classes from './support.module.css';
import { isOverMidnight, minutesOf, type Span, useDayName } from './times.ts';

const HoursDialog = lazy(() => import('./hours-dialog.tsx'));

/** When people work. */
export default function HoursPage() {
  const hours = useQuery(businessHoursQuery);
  return (
    <Stack gap="xl" maw={860}>
      <Definitions
        of="support.hours"
        icon="clock"
        found={hours}
        idOf={({ businessHoursId }) => businessHoursId}
        nameOf={({ name }) => name}
        remove={(id) => gateway.businessHours.delete(id).then(supportChanged)}
        columns={(sets, buttonsOf) => (
          <Stack component="ul" gap="sm">
            {sets.map((set) => (
              <HoursSet key={set.businessHoursId} hours={set} buttons={buttonsOf(set)} />
            ))}
          </Stack>
        )}
        dialog={(set, onClose) => <HoursDialog hours={set} onClose={onClose} />}
      />
    </Stack>
  );
}

function HoursSet({ hours, buttons }: { hours: BusinessHours; buttons: ReactNode }) {
  const t = useTranslations('support.hours');
  const numberNames = useNumberNames();
  const { name, timeZone, spans, holidays, numberIds } = hours;
  return (
    <Framed component="li" gap="sm" p="16px 18px">
      <Group gap="8px 12px" justify="space-between">
        <div>
          <h3>{name}</h3>
          <Text span c="dimmed">
            {t('summary', { zone: timeZone, numbers: numberNames(numberIds), holidays: holidays.length })}
          </Text>
        </div>
        <Group gap="xs">{buttons}</Group>
      </Group>
      <WeekStrip spans={spans} />
    </Framed>
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
            <Hint component="dt">{dayName(day)}</Hint>
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
