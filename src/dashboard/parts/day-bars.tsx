import { Flex } from '@mantine/core';
import { useFormatter } from 'use-intl';
import classes from './day-bars.module.css';
import { Card } from './frames/page.tsx';

interface BarLayer<Name extends string> {
  name: Name;
  label: string;
  /** A colour of CSS. */
  colour: string;
}

interface BarDay<Name extends string> {
  /** Its beginning in UTC, or its date: ISO 8601. */
  at: string;
  values: Record<Name, number>;
}

interface DayBarsProps<Name extends string> {
  title: string;
  /** From the floor up. */
  layers: readonly BarLayer<Name>[];
  days: readonly BarDay<Name>[];
  /** Says the figures of a day, or of all together, in a sentence. */
  summary: (values: Record<Name, number>) => string;
}

const width = 640;
const height = 220;
const floor = 1;
const gapMax = 5;
/** Even a day of one can be seen. */
const barMin = 2;

/** A bar for each day, in layers, with what the colours mean. */
export function DayBars<Name extends string>({ title, layers, days, summary }: DayBarsProps<Name>) {
  const format = useFormatter();
  const dayName = ({ at }: BarDay<Name>) =>
    format.dateTime(new Date(at), { day: 'numeric', month: 'short', timeZone: 'UTC' });
  const totalOf = ({ values }: BarDay<Name>) => layers.reduce((sum, { name }) => sum + values[name], 0);
  const sumOf = (name: Name) => days.reduce((sum, { values }) => sum + values[name], 0);
  const sums = Object.fromEntries(layers.map(({ name }) => [name, sumOf(name)])) as Record<Name, number>;
  const most = Math.max(1, ...days.map(totalOf));
  const step = width / days.length;
  const gap = Math.min(gapMax, step / 4);
  const sizeOf = (value: number) =>
    value === 0 ? 0 : Math.max(barMin, (value / most) * (height - floor - 8));
  const legend = (
    <div className={classes.legend}>
      {layers.map(({ name, label, colour }) => (
        <Flex component="span" gap={5} align="center" display="inline-flex" key={name}>
          <i className={classes.colour} style={{ background: colour }} />
          {label}
        </Flex>
      ))}
    </div>
  );
  return (
    <Card title={title} aside={legend}>
      <svg
        className={classes.chart}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={summary(sums)}
      >
        <line x1="0" x2={width} y1={height - floor} y2={height - floor} stroke="var(--line)" />
        {days.map((day, index) => {
          let top = height - floor;
          return (
            <g key={day.at}>
              <title>{`${dayName(day)}: ${summary(day.values)}`}</title>
              <rect x={index * step} y="0" width={step} height={height - floor} fill="transparent" />
              {layers.map(({ name, colour }) => {
                const size = sizeOf(day.values[name]);
                top -= size;
                return (
                  <rect
                    key={name}
                    x={index * step + gap / 2}
                    y={top}
                    width={step - gap}
                    height={size}
                    fill={colour}
                  />
                );
              })}
            </g>
          );
        })}
      </svg>
      <Flex justify="space-between" c="var(--ink-faint)" fz="xs" aria-hidden="true">
        {[...new Set([days[0], days[Math.floor(days.length / 2)], days.at(-1)])].map(
          (day) => day && <span key={day.at}>{dayName(day)}</span>,
        )}
      </Flex>
    </Card>
  );
}
