import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { type AutomationDefinition, automationFields } from '../../../contract/automations/automation.ts';
import { refuse } from '../../../contract/errors.ts';
import { uuidSchema } from '../../../contract/ids.ts';
import { dayMs } from '../../../contract/times.ts';
import { filteredRefusal } from '../../../durable/account/recipients/recipient-filters.ts';
import type { DryRun } from '../../../durable/event-log/automations/dry-run.ts';
import type { Rule } from '../../../durable/event-log/automations/rules/judge.ts';
import { newUuid } from '../../../durable/new-ids.ts';
import { sealSecret } from '../../../durable/sealed-secret.ts';
import type { AppEnv } from '../../app-env.ts';
import { administrator } from '../../auth/callers.ts';
import { configurationChanged } from '../../configuration-changed.ts';
import { openDatabase, untilNotOvertaken } from '../../db/database.ts';
import { renderRefusal } from '../../http/answer/refusal-response.ts';
import { emptyBody, jsonBody } from '../../http/request/body/json-body.ts';
import { listQuery, page, query, yesOrNo } from '../../http/request/query.ts';
import { notFound, timeField, uuidPathId } from '../../http/request/shared-fields.ts';
import { askAccount, askLog } from '../../object-calls.ts';
import { auditOf } from '../audit-log/audit-context.ts';
import { newWebhookSecret, rotationMs } from '../webhooks/delivery/signature.ts';
import { definitionProblem } from './definition-problem.ts';
import type {
  automationDryRunSchema,
  automationListSchema,
  automationRunListSchema,
  automationSchema,
  createdAutomationSchema,
} from './records.ts';
import {
  type AutomationRow,
  automationsMax,
  deleteAutomation,
  findAutomation,
  insertAutomation,
  listAutomations,
  moveAutomation,
  rotateAutomationSecret,
  updateAutomation,
} from './rows.ts';
import { definitionOf, showAutomation, showDryRun, showRun } from './shown-automation.ts';

export const automationRoutes = new Hono<AppEnv>();
automationRoutes.use(administrator);

const automationPath = uuidPathId('id', 'automation');
const noSuchAutomation = notFound('automation');

/** The automation that the path names, when it belongs to the caller's account. */
const ownAutomation = (c: Context<AppEnv>): Promise<AutomationRow | null> =>
  findAutomation(openDatabase(c.env.DB), c.get('caller').accountId, c.req.param('id') ?? '');

const figuresOf = (c: Context<AppEnv>, ids: readonly string[]) =>
  askLog(c.env, c.get('caller').accountId, (log) => log.automationFigures(ids));

async function show(c: Context<AppEnv>, row: AutomationRow) {
  const [figures] = await figuresOf(c, [row.id]);
  return showAutomation(row, figures);
}

const { name, enabled, on, waitingMinutes, inGroups, conditions, actions, cooldownSeconds } =
  automationFields;

/** What a rule does, and when. */
const ruleFields = {
  on,
  waitingMinutes: waitingMinutes.default(null),
  inGroups: inGroups.default(false),
  conditions: conditions.default([]),
  actions,
  cooldownSeconds: cooldownSeconds.default(0),
};

/** Body of `POST /v1/automations`. */
const createSchema = z.strictObject({ name, enabled: enabled.default(true), ...ruleFields });

const changesSchema = z
  .strictObject({ ...automationFields, position: z.int().min(0).max(automationsMax) })
  .partial();

/** What a rule does, and when. */
const judgedFields = ['on', 'waitingMinutes', 'conditions', 'actions'];

const tooMany = refuse('CONFLICT', `An account can have at most ${automationsMax} automations.`);

const storedOf = ({ name: _, enabled: _e, ...definition }: AutomationDefinition) => definition;

automationRoutes.post('/', jsonBody(createSchema), async (c) => {
  const input = c.req.valid('json');
  const problem = await definitionProblem(c, input);
  if (problem !== null) return renderRefusal(c, problem);
  const { accountId } = c.get('caller');
  const id = newUuid();
  const secret = newWebhookSecret();
  const row = await insertAutomation(
    {
      id,
      accountId,
      name: input.name,
      enabled: input.enabled,
      definition: storedOf(input),
      sealedSecret: await sealSecret(c.env, id, secret),
      previousSealedSecret: null,
      previousSecretUntil: null,
      createdAt: Date.now(),
    },
    auditOf(c),
  );
  if (row === null) return renderRefusal(c, tooMany);
  await configurationChanged(c.env, accountId);
  return c.json<z.infer<typeof createdAutomationSchema>>({ ...showAutomation(row, undefined), secret }, 201);
});

automationRoutes.get('/', query(z.strictObject(listQuery)), async (c) => {
  const { limit, cursor } = c.req.valid('query');
  const rows = await listAutomations(openDatabase(c.env.DB), c.get('caller').accountId, limit, cursor);
  const shown = page(c, rows, limit, (row) => row.id);
  const figures = await figuresOf(
    c,
    shown.data.map(({ id }) => id),
  );
  const byId = new Map(figures.map((one) => [one.automationId, one]));
  return c.json<z.infer<typeof automationListSchema>>({
    ...shown,
    data: shown.data.map((row) => showAutomation(row, byId.get(row.id))),
  });
});

automationRoutes.get('/:id', automationPath, async (c) => {
  const row = await ownAutomation(c);
  if (row === null) return renderRefusal(c, noSuchAutomation);
  return c.json<z.infer<typeof automationSchema>>(await show(c, row));
});

automationRoutes.patch('/:id', automationPath, jsonBody(changesSchema), async (c) => {
  const { position, ...changes } = c.req.valid('json');
  const isChange = Object.keys(changes).length > 0;
  const changed = await untilNotOvertaken(async () => {
    const row = await ownAutomation(c);
    if (row === null) return noSuchAutomation;
    if (!isChange) return row;
    const before = definitionOf(row);
    const definition = { ...before, ...changes } as AutomationDefinition;
    // A rule may name what is gone by now: it gets another name all the same, and is switched off.
    const isJudged =
      (definition.enabled && !before.enabled) || judgedFields.some((field) => field in changes);
    const problem = isJudged ? await definitionProblem(c, definition) : null;
    if (problem !== null) return problem;
    const { name, enabled } = definition;
    return updateAutomation(row, { name, enabled, definition: storedOf(definition) }, auditOf(c));
  });
  if ('ok' in changed) return renderRefusal(c, changed);
  if (position !== undefined) await moveAutomation(changed.accountId, changed.id, position, auditOf(c));
  if (isChange || position !== undefined) await configurationChanged(c.env, changed.accountId);
  const row = await ownAutomation(c);
  if (row === null) return renderRefusal(c, noSuchAutomation);
  return c.json<z.infer<typeof automationSchema>>(await show(c, row));
});

automationRoutes.post('/:id/rotate-secret', automationPath, emptyBody, async (c) => {
  const row = await ownAutomation(c);
  if (row === null) return renderRefusal(c, noSuchAutomation);
  const secret = newWebhookSecret();
  const sealed = await sealSecret(c.env, row.id, secret);
  const until = Date.now() + rotationMs;
  const rotated = await rotateAutomationSecret(row, sealed, until, auditOf(c));
  if (rotated === null) {
    return renderRefusal(c, refuse('CONFLICT', 'Someone else rotated the secret at the same moment.'));
  }
  await configurationChanged(c.env, rotated.accountId);
  return c.json<z.infer<typeof createdAutomationSchema>>({ ...(await show(c, rotated)), secret });
});

automationRoutes.delete('/:id', automationPath, async (c) => {
  const row = await ownAutomation(c);
  if (row === null) return renderRefusal(c, noSuchAutomation);
  await deleteAutomation(row, auditOf(c));
  await configurationChanged(c.env, row.accountId);
  return c.body(null, 204);
});

const runsQuery = z.strictObject({ ...listQuery, ran: yesOrNo.optional() });

automationRoutes.get('/:id/runs', automationPath, query(runsQuery), async (c) => {
  const row = await ownAutomation(c);
  if (row === null) return renderRefusal(c, noSuchAutomation);
  const { limit, cursor = null, ran = null } = c.req.valid('query');
  const runs = await askLog(c.env, row.accountId, (log) => log.automationRuns(row.id, limit, cursor, ran));
  return c.json<z.infer<typeof automationRunListSchema>>(page(c, runs, limit, ({ runId }) => runId, showRun));
});

/** How far back a dry run may look. */
const dryRunDaysMax = 30;

/** What is older is not kept as events. */
const readable = (since: number) => Math.max(since, Date.now() - dryRunDaysMax * dayMs);

async function tried(c: Context<AppEnv>, rule: Rule, since: number) {
  const { accountId } = c.get('caller');
  const dryRun = await askLog(c.env, accountId, (log) => log.dryRunAutomation(rule, readable(since)));
  return c.json<z.infer<typeof automationDryRunSchema>>(
    showDryRun(await withoutOptedOut(c.env, accountId, dryRun)),
  );
}

automationRoutes.post(
  '/:id/dry-run',
  automationPath,
  jsonBody(z.strictObject({ since: timeField })),
  async (c) => {
    const row = await ownAutomation(c);
    if (row === null) return renderRefusal(c, noSuchAutomation);
    const { since } = c.req.valid('json');
    return tried(c, { automationId: row.id, ...definitionOf(row) }, since);
  },
);

/** A rule that need not be saved; with `automationId`, in the place of that one. */
const draftSchema = z.strictObject({
  since: timeField,
  automation: z.strictObject({
    automationId: uuidSchema.optional(),
    name: name.optional(),
    enabled: enabled.optional(),
    ...ruleFields,
  }),
});

automationRoutes.post('/dry-run', jsonBody(draftSchema), async (c) => {
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

/** A dry run without the replies to whoever had opted out by then: the account alone knows who has. */
async function withoutOptedOut(env: Env, accountId: string, dryRun: DryRun): Promise<DryRun> {
  const replied = dryRun.data.filter(({ replies = [] }) => replies.length > 0);
  const people = [...new Set(replied.map(({ person }) => person))];
  if (people.length === 0) return dryRun;
  const states = await askAccount(env, accountId, (account) => account.recipients(people));
  const optedOutAt = new Map(people.map((person, index) => [person, states[index]?.optedOutAt ?? null]));
  const notReplied = { reason: 'refused', words: filteredRefusal('optOut').message } as const;
  const data = dryRun.data.map((entry) => {
    const since = replied.includes(entry) ? (optedOutAt.get(entry.person) ?? null) : null;
    return since !== null && since <= entry.at ? { ...entry, replies: [], notReplied } : entry;
  });
  return { ...dryRun, data };
}
