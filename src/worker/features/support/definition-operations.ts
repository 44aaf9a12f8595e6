import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { type Refusal, refuse } from '../../../contract/errors.ts';
import { businessHoursFields, businessHoursSchema } from '../../../contract/support/business-hours.ts';
import {
  hasTarget,
  noTargetProblem,
  slaPolicyFields,
  slaPolicySchema,
} from '../../../contract/support/sla-policy.ts';
import { isoTime } from '../../../contract/times.ts';
import { newUuid } from '../../../durable/new-ids.ts';
import type { AppEnv } from '../../app-env.ts';
import { administrator, signedIn } from '../../auth/callers.ts';
import { configurationChanged } from '../../configuration-changed.ts';
import { openDatabase } from '../../db/database.ts';
import { showTag, staleRefusal } from '../../http/answer/entity-tag.ts';
import { renderRefusal } from '../../http/answer/refusal-response.ts';
import { jsonBody } from '../../http/request/body/json-body.ts';
import { listQuery, page, query } from '../../http/request/query.ts';
import { nameSchema, notFound, uuidPathId } from '../../http/request/shared-fields.ts';
import { validationRefusal } from '../../http/request/validation-details.ts';
import { auditOf } from '../audit-log/audit-context.ts';
import { foreignNumberRefusal } from '../numbers/own-number.ts';
import type {
  businessHoursSchema as shownHoursSchema,
  slaPolicySchema as shownPolicySchema,
} from './records.ts';
import {
  businessHoursDefinitions,
  type DefinitionRow,
  type Definitions,
  slaPolicyDefinitions,
} from './rows.ts';

interface Kind<Definition extends object> {
  definitions: Definitions<Definition>;
  /** In sentences. */
  what: string;
  /** As its answers show it: the type of their schema. */
  show(id: string, definition: Definition, createdAt: string): object;
  /** What a person sends: fields that may be left out have a default. */
  createSchema: z.ZodType<Definition> & z.ZodType<object>;
  changesSchema: z.ZodType<object>;
  /** What holds between the fields, too. */
  wholeSchema: z.ZodType<Definition>;
  /** So many an account may have. */
  most: number;
  /** What only the account can say of what is sent. */
  problemOf(c: Context<AppEnv>, sent: Partial<Definition>): Promise<Refusal | null>;
  /** Why it must stay. */
  keptBy?: (c: Context<AppEnv>, row: DefinitionRow<Definition>) => Promise<Refusal | null>;
  /** What else has to know that it is gone. */
  removed?: (c: Context<AppEnv>, row: DefinitionRow<Definition>) => Promise<void>;
}

/** Of something that holds for numbers: whether the account has them. */
async function foreignNumber(
  c: Context<AppEnv>,
  { numberIds }: { numberIds?: string[] | 'all' },
): Promise<Refusal | null> {
  return foreignNumberRefusal(c.env, c.get('caller').accountId, numberIds);
}

/** The routes of something that people define for an account: everybody of it may read, administrators change. */
export function definitionRoutes<Definition extends object>({
  definitions,
  what,
  show,
  createSchema,
  changesSchema,
  wholeSchema,
  most,
  problemOf,
  keptBy = async () => null,
  removed = async () => {},
}: Kind<Definition>): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  const path = uuidPathId('id', what);
  const missing = notFound(what);
  const databaseOf = (c: Context<AppEnv>) => openDatabase(c.env.DB);
  const shown = ({ id, definition, createdAt }: DefinitionRow<Definition>) =>
    show(id, definition, isoTime(createdAt));
  const own = (c: Context<AppEnv>) =>
    definitions.find(databaseOf(c), c.get('caller').accountId, c.req.param('id') ?? '');

  routes.post('/', administrator, jsonBody(createSchema), async (c) => {
    const definition: Definition = c.req.valid('json');
    const problem = await problemOf(c, definition);
    if (problem !== null) return renderRefusal(c, problem);
    const { accountId } = c.get('caller');
    const row = { id: newUuid(), accountId, definition, createdAt: Date.now() };
    if (!(await definitions.insert(row, auditOf(c), definitions.fewerThan(accountId, most)))) {
      return renderRefusal(c, refuse('CONFLICT', `An account can have at most ${most} of these.`));
    }
    await configurationChanged(c.env, accountId);
    return c.json<object>(shown(row), 201);
  });

  routes.get('/', signedIn, query(z.strictObject(listQuery)), async (c) => {
    const { limit, cursor } = c.req.valid('query');
    const rows = await definitions.list(databaseOf(c), c.get('caller').accountId, limit, cursor);
    return c.json<object>(page(c, rows, limit, ({ id }) => id, shown));
  });

  routes.get('/:id', signedIn, path, async (c) => {
    const row = await own(c);
    if (row === null) return renderRefusal(c, missing);
    showTag(c, row.definition);
    return c.json<object>(shown(row));
  });

  routes.patch('/:id', administrator, path, jsonBody(changesSchema), async (c) => {
    const changes: Partial<Definition> = c.req.valid('json');
    const problem = await problemOf(c, changes);
    if (problem !== null) return renderRefusal(c, problem);
    const { accountId } = c.get('caller');
    const id = c.req.param('id');
    const changed = await definitions.changeStored(accountId, id, auditOf(c), ({ definition }) => {
      const stale = staleRefusal(c, definition);
      if (stale !== null) return stale;
      const parsed = wholeSchema.safeParse({ ...definition, ...changes });
      return parsed.success
        ? { ok: true, value: { definition: parsed.data } }
        : validationRefusal(parsed.error);
    });
    if (changed.ok === null) return renderRefusal(c, missing);
    if (!changed.ok) return renderRefusal(c, changed);
    await configurationChanged(c.env, accountId);
    showTag(c, changed.row.definition);
    return c.json<object>(shown(changed.row));
  });

  routes.delete('/:id', administrator, path, async (c) => {
    const row = await own(c);
    if (row === null) return renderRefusal(c, missing);
    const kept = await keptBy(c, row);
    if (kept !== null) return renderRefusal(c, kept);
    await definitions.delete(row, auditOf(c));
    await configurationChanged(c.env, row.accountId);
    await removed(c, row);
    return c.body(null, 204);
  });

  return routes;
}

const { holidays, numberIds, ...required } = { ...businessHoursFields, name: nameSchema };

export const businessHoursRoutes = definitionRoutes({
  definitions: businessHoursDefinitions,
  what: 'set of business hours',
  show: (businessHoursId, definition, createdAt): z.infer<typeof shownHoursSchema> => ({
    businessHoursId,
    ...definition,
    createdAt,
  }),
  createSchema: z.strictObject({
    ...required,
    holidays: holidays.default([]),
    numberIds: numberIds.default('all'),
  }),
  changesSchema: z.strictObject({ ...required, holidays, numberIds }).partial(),
  wholeSchema: businessHoursSchema,
  most: 50,
  problemOf: foreignNumber,
});

const fields = { ...slaPolicyFields, name: nameSchema };
const { firstResponseSeconds, nextResponseSeconds, resolutionSeconds } = fields;

export const slaPolicyRoutes = definitionRoutes({
  definitions: slaPolicyDefinitions,
  what: 'SLA policy',
  show: (policyId, definition, createdAt): z.infer<typeof shownPolicySchema> => ({
    policyId,
    ...definition,
    createdAt,
  }),
  createSchema: z
    .strictObject({
      ...fields,
      firstResponseSeconds: firstResponseSeconds.default(null),
      nextResponseSeconds: nextResponseSeconds.default(null),
      resolutionSeconds: resolutionSeconds.default(null),
      businessHoursOnly: fields.businessHoursOnly.default(false),
      numberIds: fields.numberIds.default('all'),
      labels: fields.labels.default([]),
    })
    .refine(hasTarget, noTargetProblem),
  changesSchema: z.strictObject(fields).partial(),
  wholeSchema: slaPolicySchema,
  most: 100,
  problemOf: foreignNumber,
});
