import { Button, Group, NativeSelect, SimpleGrid, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import type { SupportReport } from '../../../../sdk/index.ts';
import { gateway } from '../../../gateway/client.ts';
import { DayBars } from '../../../parts/day-bars.tsx';
import { Empty, Note, Problem, Waiting } from '../../../parts/feedback.tsx';
import { inputOf } from '../../../parts/fields/input.ts';
import { Framed } from '../../../parts/frames/page.tsx';
import { Figure } from '../../../parts/hint.tsx';
import { DataTable } from '../../../parts/lists/data-table.tsx';
import { saveFile } from '../../../parts/values/save-file.ts';
import { type ReportBy, reportRange, supportReportQuery } from '../../../queries/support.ts';
import { Section } from '../section.tsx';
import { useDuration } from './times.ts';

const spans = [7, 30, 90, 365] as const;
const groups = ['day', 'agent', 'team', 'number'] as const satisfies readonly ReportBy[];

/** How fast people were answered, with a chart, a table, and a file of both. */
export default function ReportPage() {
  const t = useTranslations('support.report');
  const common = useTranslations('common');
  const [days, setDays] = useState<number>(30);
  const [by, setBy] = useState<ReportBy>('day');
  const byDay = useQuery(supportReportQuery(days, 'day'));
  const grouped = useQuery(supportReportQuery(days, by));
  const download = useMutation({
    mutationFn: async () =>
      saveFile(await gateway.reports.supportCsv({ ...reportRange(days), by }), `support-by-${by}.csv`),
  });
  return (
    <Section title={t('title')} lead={t('lead')}>
      <Stack gap="lg" miw={0}>
        <Group gap="sm" align="flex-end">
          <NativeSelect
            label={t('span')}
            data={spans.map((count) => ({ value: String(count), label: t('lastDays', { count }) }))}
            {...inputOf(String(days), (value) => setDays(Number(value)))}
          />
          <NativeSelect
            label={t('by')}
            data={groups.map((name) => ({ value: name, label: t(`groups.${name}`) }))}
            {...inputOf(by, (value) => setBy(groups.find((name) => name === value) ?? 'day'))}
          />
          <Button variant="default" loading={download.isPending} onClick={() => download.mutate()}>
            {common('downloadCsv')}
          </Button>
        </Group>
        <Problem error={download.error ?? byDay.error ?? grouped.error} />
        {byDay.isPending && <Waiting rows={2} height={120} />}
        {byDay.data !== undefined && <Report report={byDay.data} grouped={grouped.data} />}
      </Stack>
    </Section>
  );
}

function Report({ report, grouped }: { report: SupportReport; grouped: SupportReport | undefined }) {
  const t = useTranslations('support.report');
  if (report.total.opened === 0) {
    return <Empty icon="overview" title={t('emptyTitle')} lead={t('emptyLead')} />;
  }
  return (
    <>
      {!report.isComplete && <Note tone="amber">{t('incomplete')}</Note>}
      <Figures total={report.total} />
      <ReportChart days={report.groups} />
      {grouped !== undefined && <GroupsTable report={grouped} />}
    </>
  );
}

function Figures({ total }: { total: SupportReport['total'] }) {
  const t = useTranslations('support.report');
  const format = useFormatter();
  const length = useLength();
  const missed = total.missed.firstResponse + total.missed.nextResponse + total.missed.resolution;
  const figures = [
    ['opened', format.number(total.opened)],
    ['resolved', format.number(total.resolved)],
    ['firstResponse', length(total.firstResponse.medianSeconds)],
    ['resolution', length(total.resolution.medianSeconds)],
    ['missed', format.number(missed)],
    ['rating', total.ratings.average === null ? t('nothing') : format.number(total.ratings.average)],
  ] as const;
  return (
    <SimpleGrid minColWidth={150} autoFlow="auto-fit" spacing="sm">
      {figures.map(([name, value]) => (
        <Framed key={name} gap={2} p="14px 16px">
          <Text span c="dimmed">
            {t(`figures.${name}`)}
          </Text>
          <Figure>{value}</Figure>
        </Framed>
      ))}
    </SimpleGrid>
  );
}

function GroupsTable({ report }: { report: SupportReport }) {
  const t = useTranslations('support.report');
  const common = useTranslations('common');
  const format = useFormatter();
  const length = useLength();
  const shown = report.groups.filter(({ opened }) => opened > 0);
  const nameOf = ({ key, name }: SupportReport['groups'][number]) =>
    report.by === 'day' && key !== null
      ? format.dateTime(new Date(key), { day: 'numeric', month: 'short', timeZone: 'UTC' })
      : (name ?? (key === null ? common('unassigned') : t('gone')));
  return (
    <DataTable
      rows={shown}
      keyOf={(group) => group.key ?? ''}
      columns={[
        { head: t(`groups.${report.by}`), cell: (group) => nameOf(group) },
        { head: t('figures.opened'), isFigure: true, cell: (group) => format.number(group.opened) },
        {
          head: t('figures.resolved'),
          isFigure: true,
          isWide: true,
          cell: (group) => format.number(group.resolved),
        },
        {
          head: t('figures.firstResponse'),
          isFigure: true,
          cell: (group) => length(group.firstResponse.medianSeconds),
        },
        {
          head: t('p90'),
          isFigure: true,
          isWide: true,
          cell: (group) => length(group.firstResponse.p90Seconds),
        },
        {
          head: t('figures.resolution'),
          isFigure: true,
          isWide: true,
          cell: (group) => length(group.resolution.medianSeconds),
        },
        {
          head: t('figures.missed'),
          isFigure: true,
          cell: (group) =>
            format.number(group.missed.firstResponse + group.missed.nextResponse + group.missed.resolution),
        },
        {
          head: t('figures.rating'),
          isFigure: true,
          isWide: true,
          cell: (group) =>
            group.ratings.average === null ? t('nothing') : format.number(group.ratings.average),
        },
      ]}
    />
  );
}

/** A measured time in words; a dash where nothing was measured. */
function useLength() {
  const t = useTranslations('support.report');
  const duration = useDuration();
  return (seconds: number | null) => (seconds === null ? t('nothing') : duration(seconds));
}

type Day = SupportReport['groups'][number];

const layers = [
  { name: 'kept', colour: 'var(--chart-1)' },
  { name: 'missed', colour: 'var(--chart-3)' },
] as const;

function valuesOf({ opened, missed }: Day) {
  const late = Math.min(opened, missed.firstResponse + missed.nextResponse + missed.resolution);
  return { kept: opened - late, missed: late };
}

/** Conversations of each day: those in which every target was kept, and targets that were missed. */
function ReportChart({ days }: { days: readonly Day[] }) {
  const t = useTranslations('support.report.chart');
  return (
    <DayBars
      title={t('title')}
      layers={layers.map(({ name, colour }) => ({ name, colour, label: t(name) }))}
      days={days.flatMap((day) => (day.key === null ? [] : { at: day.key, values: valuesOf(day) }))}
      summary={(values) => t('summary', values)}
    />
  );
}
