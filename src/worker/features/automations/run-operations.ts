import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { automationFields } from '../../../contract/automations/automation.ts';
import { uuidSchema } from '../../../contract/ids.ts';
import { dayMs } from '../../../contract/times.ts';
import type { Rule } from '../../../durable/event-log/automations/rules/judge.ts';
import type { AppEnv } from '../../app-env.ts';
import { openDatabase } from '../../db/database.ts';
import { renderRefusal } from '../../http/answer/refusal-response.ts';
import { jsonBody } from '../../http/request/body/json-body.ts';
import { notFound, uuidPathId } from '../../http/request/path-id.ts';
import { listQuery, page, query } from '../../http/request/query.ts';
import { askLog } from '../../object-calls.ts';
import { definitionProblem } from './definition-problem.ts';
import type { automationDryRunSchema, automationRunListSchema } from './records.ts';
import { findAutomation } from './rows.ts';
import { withoutOptedOut } from './running/opted-out.ts';
import { definitionOf, showDryRun, showRun } from './shown-automation.ts';

/** Mounted among the routes of automations, behind their access check. */
export const automationRunRoutes = new Hono<AppEnv>();

const automationPath = uuidPathId('id', 'automation');
const noSuchAutomation = notFound('automation');

const ownAutomation = (c: Context<AppEnv>) =>
  findAutomation(openDatabase(c.env.DB), c.get('caller').accountId, c.req.param('id') ?? '');

const runsQuery = z.strictObject({ ...listQuery, ran: z.enum(['true', 'false']).optional() });

automationRunRoutes.get('/:id/runs', automationPath, query(runsQuery), async (c) => {
  const row = await ownAutomation(c);
  if (row === null) return renderRefusal(c, noSuchAutomation);
  const { limit, cursor = null, ran } = c.req.valid('query');
  const wanted = ran === undefined ? null : ran === 'true';
  const runs = await askLog(c.env, row.accountId, (log) => log.automationRuns(row.id, limit, cursor, wanted));
  return c.json<z.infer<typeof automationRunListSchema>>(page(runs, limit, ({ runId }) => runId, showRun));
});

/** How far back a dry run may look. */
const dryRunDaysMax = 30;

const sinceSchema = z.iso
  .datetime({ offset: true, error: 'A time as 2026-01-31T09:30:00Z.' })
  .transform((at) => Date.parse(at));

/** What is older is not kept as events. */
const readable = (since: number) => Math.max(since, Date.now() - dryRunDaysMax * dayMs);

async function tried(c: Context<AppEnv>, rule: Rule, since: number) {
  const { accountId } = c.get('caller');
  const dryRun = await askLog(c.env, accountId, (log) => log.dryRunAutomation(rule, readable(since)));
  return c.json<z.infer<typeof automationDryRunSchema>>(
    showDryRun(await withoutOptedOut(c.env, accountId, dryRun)),
  );
}

automationRunRoutes.post(
  '/:id/dry-run',
  automationPath,
  jsonBody(z.strictObject({ since: sinceSchema })),
  async (c) => {
    const row = await ownAutomation(c);
    if (row === null) return renderRefusal(c, noSuchAutomation);
    const { since } = c.req.valid('json');
    return tried(c, { automationId: row.id, ...definitionOf(row) }, since);
  },
);

const { name, enabled, on, waitingMinutes, inGroups, conditions, actions, cooldownSeconds } =
  automationFields;

/** A rule that need not be saved; with `automationId`, in the place of that one. */
const draftSchema = z.strictObject({
  since: sinceSchema,
  automation: z.strictObject({
    automationId: uuidSchema.toLowerCase().optional(),
    name: name.optional(),
    enabled: enabled.optional(),
    on,
    waitingMinutes: waitingMinutes.default(null),
    inGroups: inGroups.default(false),
    conditions: conditions.default([]),
    actions,
    cooldownSeconds: cooldownSeconds.default(0),
  }),
});

automationRunRoutes.post('/dry-run', jsonBody(draftSchema), async (c) => {
  const { since, automation } = c.req.valid('json');
  const problem = await definitionProblem(c, automation);
  if (problem !== null) {
    const details =
      problem.details?.map((detail) => ({ ...detail, path: `automation.${detail.path}` })) ?? [];
    return renderRefusal(c, { ...problem, details });
  }
  const { automationId = '', name = '-' } = automation;
  return tried(c, { ...automation, automationId, name, enabled: true }, since);
});
