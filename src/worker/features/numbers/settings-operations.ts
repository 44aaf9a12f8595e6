import { type Context, Hono } from 'hono';
import { z } from 'zod';
import {
  isShownProxyUrl,
  proxyUrlSchema,
  type StoredSessionSettings,
  sessionSettingsSchema,
  shownProxyUrl,
} from '../../../contract/bridge/session-settings.ts';
import { invalidField, type Refusal } from '../../../contract/errors.ts';
import { onlyGiven } from '../../../contract/given.ts';
import { uuidSchema } from '../../../contract/ids.ts';
import { filtersSchema, pacingSchema } from '../../../contract/numbers/sender-settings.ts';
import { sealSecret } from '../../../durable/sealed-secret.ts';
import { privateHostProblem } from '../../../settings/private-hosts.ts';
import { settingsOf } from '../../../settings/worker-settings.ts';
import type { AppEnv } from '../../app-env.ts';
import { administrator } from '../../auth/callers.ts';
import { configurationChanged, tellNumber } from '../../configuration-changed.ts';
import { openDatabase } from '../../db/database.ts';
import { showTag, staleRefusal } from '../../http/answer/entity-tag.ts';
import { renderRefusal } from '../../http/answer/refusal-response.ts';
import { fieldsOf, jsonBody, merged } from '../../http/request/body/json-body.ts';
import { nameSchema } from '../../http/request/shared-fields.ts';
import { auditOf } from '../audit-log/audit-context.ts';
import { teamDefinitions } from '../support/rows.ts';
import { noSuchNumber, numberPath } from './own-number.ts';
import type { phoneNumberSchema } from './records.ts';
import { changeNumber } from './rows.ts';
import { configuredOf, filtersOf, pacingOf, sessionOf, showLive } from './shown-number.ts';

export const numberSettingsRoutes = new Hono<AppEnv>();

const changesSchema = z
  .strictObject({
    label: nameSchema,
    inPool: z.boolean(),
    pacing: fieldsOf(pacingSchema),
    filters: fieldsOf(filtersSchema),
    teamIds: z.array(uuidSchema).min(1).max(20).nullable(),
    ...sessionSettingsSchema.shape,
    proxyUrl: proxyUrlSchema
      .refine((url) => !isShownProxyUrl(url), 'These credentials are a placeholder: send the real ones.')
      .nullable(),
  })
  .partial();

type Changes = z.infer<typeof changesSchema>;

/** A number can be limited to teams that are there. */
async function unknownTeam(c: Context<AppEnv>, teamIds: Changes['teamIds']): Promise<Refusal | null> {
  for (const [index, id] of (teamIds ?? []).entries()) {
    if (!(await teamDefinitions.find(openDatabase(c.env.DB), c.get('caller').accountId, id)))
      return invalidField(`teamIds.${index}`, 'The account has no such team.');
  }
  return null;
}

/** A bridge would connect there from within the operator's network. What a name resolves to, it looks at itself. */
function proxyRefusal(c: Context<AppEnv>, proxyUrl: string | null | undefined): Refusal | null {
  if (!proxyUrl) return null;
  const host = new URL(proxyUrl).hostname.toLowerCase();
  const problem = privateHostProblem(host, settingsOf(c.env).WEBHOOK_PRIVATE_HOSTS);
  return problem === null ? null : invalidField('proxyUrl', problem);
}

/** The settings of the session that are sent; a proxy's address sealed for this number. */
async function sessionChanges(
  env: Env,
  numberId: string,
  { presence, rejectCalls, markRead, proxyUrl }: Changes,
): Promise<Partial<StoredSessionSettings>> {
  return {
    ...onlyGiven({ presence, rejectCalls, markRead }),
    ...(proxyUrl !== undefined && {
      sealedProxyUrl: proxyUrl && (await sealSecret(env, numberId, proxyUrl)),
      shownProxyUrl: proxyUrl && shownProxyUrl(proxyUrl),
    }),
  };
}

numberSettingsRoutes.patch('/:id', administrator, numberPath, jsonBody(changesSchema), async (c) => {
  const { accountId } = c.get('caller');
  const fields = c.req.valid('json');
  const { label, inPool, pacing, filters, teamIds } = fields;
  // Nobody can know whether all day is meant, or never.
  if (pacing?.quietHours && pacing.quietHours.start === pacing.quietHours.end)
    return renderRefusal(c, invalidField('pacing.quietHours.end', 'Must not be the same as start.'));
  const teamless = await unknownTeam(c, teamIds);
  if (teamless !== null) return renderRefusal(c, teamless);
  const refusedProxy = proxyRefusal(c, fields.proxyUrl);
  if (refusedProxy !== null) return renderRefusal(c, refusedProxy);
  const session = await sessionChanges(c.env, c.req.param('id'), fields);
  const changesSession = Object.keys(session).length > 0;
  const changed = await changeNumber(accountId, c.req.param('id'), auditOf(c), (row) => {
    const stale = staleRefusal(c, configuredOf(row));
    if (stale !== null) return stale;
    const newPacing = merged(pacingSchema, 'pacing', pacingOf(row), pacing ?? {});
    if (!newPacing.ok) return newPacing;
    const newFilters = merged(filtersSchema, 'filters', filtersOf(row), filters ?? {});
    if (!newFilters.ok) return newFilters;
    const changes = {
      ...onlyGiven({ label, inPool, teamIds }),
      ...(pacing && { pacing: newPacing.value }),
      ...(filters && { filters: newFilters.value }),
      ...(changesSession && { session: { ...sessionOf(row), ...session } }),
    };
    return { ok: true, value: changes };
  });
  if (changed.ok === null) return renderRefusal(c, noSuchNumber);
  if (!changed.ok) return renderRefusal(c, changed);
  const { row } = changed;
  await configurationChanged(c.env, accountId, async () => {
    if (pacing || changesSession) await tellNumber(c.env, accountId, row.id);
  });
  showTag(c, configuredOf(row));
  return c.json<z.infer<typeof phoneNumberSchema>>(await showLive(c.env, row));
});
