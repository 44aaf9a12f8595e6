import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { invalidField } from '../../../contract/errors.ts';
import { uuidSchema } from '../../../contract/ids.ts';
import { hourMs, isoTime } from '../../../contract/times.ts';
import {
  noTraffic,
  type TrafficFigures,
  type TrafficRow,
  trafficSteps,
} from '../../../durable/event-log/traffic-counts.ts';
import { planOf, readPlans } from '../../../settings/plans.ts';
import { settingsOf } from '../../../settings/worker-settings.ts';
import type { AppEnv } from '../../app-env.ts';
import { administrator, keyOrAdministrator, onlyNumberOf, operator, personOf } from '../../auth/callers.ts';
import { isOpenToNewUsers } from '../../auth/operator.ts';
import { accountFigures } from '../../caps.ts';
import { configurationChanged } from '../../configuration-changed.ts';
import { renderRefusal } from '../../http/answer/refusal-response.ts';
import { jsonBody } from '../../http/request/body/json-body.ts';
import { query } from '../../http/request/query.ts';
import { mailedNameSchema, notFound, timeField, uuidPathId } from '../../http/request/shared-fields.ts';
import { askAccount, askLog } from '../../object-calls.ts';
import { auditOf, auditSource } from '../audit-log/audit-context.ts';
import type { accountPlanSchema, accountSchema, trafficSchema, usageSchema } from './records.ts';
import { renameAccount, updatePlan } from './rows/accounts.ts';

/** The account that the token is for: its name, its plan, and what it has of what that allows. */
export const accountSelfRoutes = new Hono<AppEnv>();
accountSelfRoutes.use(administrator);

async function answer(c: Context<AppEnv>) {
  const account = await accountFigures(c, personOf(c).accountId);
  if (account === null) return renderRefusal(c, notFound('account'));
  return c.json<z.infer<typeof accountSchema>>({ ...account, openToNewUsers: isOpenToNewUsers(c.env) });
}

accountSelfRoutes.get('/', answer);

/** The name stands in e-mails to people who are invited. */
accountSelfRoutes.patch('/', jsonBody(z.strictObject({ name: mailedNameSchema })), async (c) => {
  await renameAccount(c.req.valid('json').name, auditOf(c));
  return answer(c);
});

export const usageRoutes = new Hono<AppEnv>();

usageRoutes.get('/', keyOrAdministrator('usage:read'), async (c) => {
  const usage = await askAccount(c.env, c.get('caller').accountId, (account) => account.usage());
  const only = onlyNumberOf(c);
  const byNumber = usage.byNumber.filter(({ numberId }) => only === null || numberId === only);
  return c.json<z.infer<typeof usageSchema>>({ ...usage, byNumber });
});

/** What the operator of the gateway sets for an account. */
export const operatorRoutes = new Hono<AppEnv>();

const planSchema = z.strictObject({ plan: z.string().min(1).max(100) });

/** The quota is the new plan's from the next send on; what is used of this month stays used. */
operatorRoutes.put(
  '/accounts/:id/plan',
  operator,
  uuidPathId('id', 'account'),
  jsonBody(planSchema),
  async (c) => {
    const { plan } = c.req.valid('json');
    const accountId = c.req.param('id');
    c.get('log').accountId = accountId;
    const settings = settingsOf(c.env);
    const plans = readPlans(settings.FREE_PLAN_MESSAGES, settings.PLANS);
    if (!plans.has(plan))
      return renderRefusal(c, invalidField('plan', `One of: ${[...plans.keys()].join(', ')}.`));
    const account = await updatePlan(accountId, plan, auditSource(c));
    if (account === null) return renderRefusal(c, notFound('account'));
    await configurationChanged(c.env, accountId);
    return c.json<z.infer<typeof accountPlanSchema>>({
      accountId,
      name: account.name,
      plan,
      ...planOf(plans, plan),
    });
  },
);

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
  numberId: uuidSchema.optional(),
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
