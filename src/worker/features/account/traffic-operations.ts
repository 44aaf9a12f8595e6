import { Hono } from 'hono';
import { z } from 'zod';
import { uuidSchema } from '../../../contract/ids.ts';
import { hourMs, isoTime } from '../../../contract/times.ts';
import {
  noTraffic,
  type TrafficFigures,
  type TrafficRow,
  trafficSteps,
} from '../../../durable/event-log/traffic/traffic-counts.ts';
import type { AppEnv } from '../../app-env.ts';
import { keyOrAdministrator, onlyNumberOf } from '../../auth/callers.ts';
import { renderRefusal } from '../../http/answer/refusal-response.ts';
import { query } from '../../http/request/query.ts';
import { timeField } from '../../http/request/shared-fields.ts';
import { invalidField } from '../../http/request/validation-details.ts';
import { askLog } from '../../object-calls.ts';
import type { trafficSchema } from './records.ts';

export const trafficRoutes = new Hono<AppEnv>();

/** By how many hours it is counted, how many spans there are where none is named, and how many at most. */
const intervals = {
  hour: { hours: 1, spans: 24, spansMax: 168 },
  day: { hours: 24, spans: 30, spansMax: 31 },
} as const;
/** Numbers that are told by themselves; the busiest. */
const numbersMax = 200;

const trafficQuery = z.strictObject({
  interval: z.enum(['hour', 'day']).default('day'),
  since: timeField.optional(),
  until: timeField.optional(),
  numberId: uuidSchema.toLowerCase().optional(),
  groupBy: z.enum(['number']).optional(),
});

function sum(rows: readonly TrafficFigures[]): TrafficFigures {
  const total = noTraffic();
  for (const row of rows) for (const step of trafficSteps) total[step] += row[step];
  return total;
}

const series = (rows: readonly TrafficRow[], starts: readonly number[]) => {
  const byStart = Map.groupBy(rows, ({ at }) => at);
  return starts.map((at) => ({ at: isoTime(at), ...sum(byStart.get(at) ?? []) }));
};

trafficRoutes.get('/', keyOrAdministrator('usage:read'), query(trafficQuery), async (c) => {
  const { interval, numberId, groupBy, ...asked } = c.req.valid('query');
  const { hours, spans, spansMax } = intervals[interval];
  const spanMs = hours * hourMs;
  const until = Math.ceil((asked.until ?? Date.now() + 1) / spanMs) * spanMs;
  const since = Math.floor((asked.since ?? until - spans * spanMs) / spanMs) * spanMs;
  if (since >= until) return renderRefusal(c, invalidField('since', 'Before `until`.'));
  if (until - since > spansMax * spanMs) {
    return renderRefusal(c, invalidField('since', `At most ${spansMax} of these intervals in one answer.`));
  }
  const only = onlyNumberOf(c);
  // To a key that is pinned strictly the other numbers are as those of somebody else.
  const isForeign = only !== null && numberId !== undefined && numberId !== only;
  const rows = isForeign
    ? []
    : await askLog(c.env, c.get('caller').accountId, (log) =>
        log.traffic(hours, since, until, only ?? numberId ?? null),
      );
  const starts = Array.from({ length: (until - since) / spanMs }, (_, index) => since + index * spanMs);
  const shown = { interval, since: isoTime(since), until: isoTime(until), data: series(rows, starts) };
  if (groupBy === undefined) return c.json<z.infer<typeof trafficSchema>>(shown);
  const byNumber = [...Map.groupBy(rows, (row) => row.numberId)]
    .map(([id, own]) => ({ numberId: id, total: sum(own), data: series(own, starts) }))
    .sort((a, b) => busyness(b.total) - busyness(a.total));
  return c.json<z.infer<typeof trafficSchema>>({ ...shown, byNumber: byNumber.slice(0, numbersMax) });
});

const busyness = ({ queued, received }: TrafficFigures) => queued + received;
