import { Hono } from 'hono';
import { z } from 'zod';
import { accountSettingsSchema } from '../../../contract/account-settings.ts';
import { filtersSchema } from '../../../contract/sender-settings.ts';
import type { AppEnv } from '../../app-env.ts';
import { administrator, keyOrAdministrator } from '../../auth/callers.ts';
import { configurationChanged, tellEachNumber } from '../../configuration-changed.ts';
import { openDatabase } from '../../db/database.ts';
import { showTag, staleRefusal } from '../../http/answer/entity-tag.ts';
import { renderRefusal } from '../../http/answer/refusal-response.ts';
import { jsonBody } from '../../http/request/body/json-body.ts';
import { fieldsOf, merged } from '../../http/request/body/partial-object.ts';
import { notFound } from '../../http/request/path-id.ts';
import { auditOf } from '../audit-log/audit-context.ts';
import type { settingsSchema } from './records.ts';
import { changeSettings, findSettings } from './rows.ts';

export const settingsRoutes = new Hono<AppEnv>();

const { filters: _filters, optOut, retention, support, ...plain } = accountSettingsSchema.shape;
const settingsChangesSchema = z
  .strictObject({
    ...plain,
    filters: fieldsOf(filtersSchema),
    optOut: fieldsOf(optOut),
    retention: fieldsOf(retention),
    support: fieldsOf(support),
  })
  .partial();

settingsRoutes.get('/', keyOrAdministrator('numbers:read'), async (c) => {
  const settings = await findSettings(openDatabase(c.env.DB), c.get('caller').accountId);
  if (settings === null) return renderRefusal(c, notFound('account'));
  showTag(c, settings);
  return c.json<z.infer<typeof settingsSchema>>(settings);
});

/** Every field may be left out, also within `filters`, `optOut`, `retention` and `support`, and then keeps its value. */
settingsRoutes.patch('/', administrator, jsonBody(settingsChangesSchema), async (c) => {
  const { accountId } = c.get('caller');
  const { filters, optOut: words, retention: kept, support: answering, ...changes } = c.req.valid('json');
  const changed = await changeSettings(openDatabase(c.env.DB), accountId, auditOf(c), (current) => {
    const stale = staleRefusal(c, current);
    if (stale !== null) return stale;
    const newFilters = merged(filtersSchema, 'filters', current.filters, filters ?? {});
    if (!newFilters.ok) return newFilters;
    const newWords = merged(optOut, 'optOut', current.optOut, words ?? {});
    if (!newWords.ok) return newWords;
    const newRetention = { ...current.retention, ...kept };
    const newSupport = { ...current.support, ...answering };
    const value = { ...current, ...changes, filters: newFilters.value, optOut: newWords.value };
    return { ok: true, value: { ...value, retention: newRetention, support: newSupport } };
  });
  if (changed.ok === null) return renderRefusal(c, notFound('account'));
  if (!changed.ok) return renderRefusal(c, changed);
  const { before, after } = changed;
  await configurationChanged(c.env, accountId, async () => {
    // Numbers learn it with each report; those that are away have nothing to report.
    if (after.rerouteAfterMs !== before.rerouteAfterMs) await tellEachNumber(c.env, accountId);
  });
  showTag(c, after);
  return c.json<z.infer<typeof settingsSchema>>(after);
});
