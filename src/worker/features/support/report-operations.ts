import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { invalidField } from '../../../contract/errors.ts';
import { dayMs, isoTime } from '../../../contract/times.ts';
import {
  emptyFigures,
  reportGroups,
  type SupportFigures,
  type SupportReport,
} from '../../../durable/event-log/support/support-report.ts';
import type { AppEnv } from '../../app-env.ts';
import { administrator } from '../../auth/callers.ts';
import { openDatabase } from '../../db/database.ts';
import { csvOf } from '../../http/answer/csv.ts';
import { renderRefusal } from '../../http/answer/refusal-response.ts';
import { query } from '../../http/request/query.ts';
import { timeField } from '../../http/request/shared-fields.ts';
import { askLog } from '../../object-calls.ts';
import type { supportReportSchema } from './records.ts';
import { groupNames } from './rows.ts';

export const supportReportRoutes = new Hono<AppEnv>();

const daysMax = 366;

const reportQuery = z.strictObject({
  since: timeField.optional(),
  until: timeField.optional(),
  by: z.enum(reportGroups).default('day'),
});

const dayOf = (at: number) => isoTime(at).slice(0, 10);

interface Group {
  key: string | null;
  name: string | null;
  figures: SupportFigures;
}

/** Every day of the time, also those on which nothing happened. */
function days(groups: SupportReport['groups'], since: number, until: number): Group[] {
  const known = new Map(groups.map(({ key, figures }) => [key, figures]));
  const first = Math.floor(since / dayMs);
  const last = Math.ceil(until / dayMs);
  return Array.from({ length: last - first }, (_, index) => {
    const at = (first + index) * dayMs;
    return { key: dayOf(at), name: null, figures: known.get(at) ?? emptyFigures() };
  });
}

async function named(c: Context<AppEnv>, by: (typeof reportGroups)[number], report: SupportReport) {
  const keys = report.groups.map(({ key, figures }) => ({ key: key === null ? null : String(key), figures }));
  const ids = keys.flatMap(({ key }) => key ?? []);
  const names = await groupNames(openDatabase(c.env.DB), c.get('caller').accountId, by, ids);
  return keys.map(({ key, figures }) => ({ key, name: names.get(key ?? '') ?? null, figures }));
}

const csvHeader = [
  'name',
  'opened',
  'resolved',
  'first_responses',
  'first_response_median_seconds',
  'first_response_p90_seconds',
  'resolution_median_seconds',
  'resolution_p90_seconds',
  'missed_first_response',
  'missed_next_response',
  'missed_resolution',
  'ratings',
  'rating_average',
];

const csvRow = ({ key, name, figures }: Group) => {
  const { firstResponse, resolution, missed, ratings } = figures;
  return [
    key,
    name,
    figures.opened,
    figures.resolved,
    firstResponse.count,
    firstResponse.medianSeconds,
    firstResponse.p90Seconds,
    resolution.medianSeconds,
    resolution.p90Seconds,
    missed.firstResponse,
    missed.nextResponse,
    missed.resolution,
    ratings.count,
    ratings.average,
  ];
};

supportReportRoutes.get('/', administrator, query(reportQuery), async (c) => {
  const { by, ...asked } = c.req.valid('query');
  const until = asked.until ?? Date.now();
  const since = asked.since ?? until - 30 * dayMs;
  if (since >= until) return renderRefusal(c, invalidField('since', 'Before `until`.'));
  if (until - since > daysMax * dayMs) {
    return renderRefusal(c, invalidField('since', `At most ${daysMax} days in one report.`));
  }
  const report = await askLog(c.env, c.get('caller').accountId, (log) =>
    log.supportReport({ since, until, by }),
  );
  const groups = by === 'day' ? days(report.groups, since, until) : await named(c, by, report);
  c.header('Vary', 'Accept');
  if (c.req.header('Accept')?.includes('text/csv')) {
    c.header('Content-Type', 'text/csv; charset=utf-8');
    c.header(
      'Content-Disposition',
      `attachment; filename="support-by-${by}-${dayOf(since)}-to-${dayOf(until)}.csv"`,
    );
    return c.body(csvOf([[by, ...csvHeader], ...groups.map(csvRow)]));
  }
  const shown = groups.map(({ key, name, figures }) => ({ key, name, ...figures }));
  const { total, isComplete } = report;
  return c.json<z.infer<typeof supportReportSchema>>({
    since: isoTime(since),
    until: isoTime(until),
    by,
    total,
    groups: shown,
    isComplete,
  });
});
