import { Hono } from 'hono';
import { z } from 'zod';
import { accountSettingsSchema } from '../../contract/account-settings.ts';
import { filtersSchema } from '../../contract/sender-settings.ts';
import type { AppEnv } from '../app-env.ts';
import { administrator, reader } from '../auth/callers.ts';
import { configurationChanged, tellEachNumber } from '../configuration-changed.ts';
import { findSettings, updateSettings } from '../db/account-settings.ts';
import { openDatabase } from '../db/database.ts';
import { renderRefusal } from '../http/refusal-response.ts';
import { jsonBody } from '../http/request/json-body.ts';
import { fieldsOf, merged } from '../http/request/partial-object.ts';
import { notFound } from '../http/request/path-id.ts';
import { auditOf } from './audit-context.ts';

export const settingsRoutes = new Hono<AppEnv>();

const { filters: _filters, optOut, retention, ...plain } = accountSettingsSchema.shape;
const settingsChangesSchema = z
  .strictObject({
    ...plain,
    filters: fieldsOf(filtersSchema),
    optOut: fieldsOf(optOut),
    retention: fieldsOf(retention),
  })
  .partial();

settingsRoutes.get('/', reader, async (c) => {
  const settings = await findSettings(openDatabase(c.env.DB), c.get('caller').accountId);
  return settings === null ? renderRefusal(c, notFound('account')) : c.json(settings);
});

/** Every field may be left out, also within `filters`, `optOut` and `retention`, and then keeps its value. */
settingsRoutes.patch('/', administrator, jsonBody(settingsChangesSchema), async (c) => {
  const { accountId } = c.get('caller');
  const db = openDatabase(c.env.DB);
  const current = await findSettings(db, accountId);
  if (current === null) return renderRefusal(c, notFound('account'));
  const { filters, optOut: words, retention: kept, ...changes } = c.req.valid('json');
  const newFilters = merged(filtersSchema, 'filters', current.filters, filters ?? {});
  if (!newFilters.ok) return renderRefusal(c, newFilters);
  const newWords = merged(optOut, 'optOut', current.optOut, words ?? {});
  if (!newWords.ok) return renderRefusal(c, newWords);
  const settings = {
    ...current,
    ...changes,
    filters: newFilters.value,
    optOut: newWords.value,
    retention: { ...current.retention, ...kept },
  };
  await updateSettings(db, accountId, settings, auditOf(c));
  await configurationChanged(c.env, accountId, async () => {
    // Numbers learn it with each report; those that are away have nothing to report.
    if (settings.rerouteAfterMs !== current.rerouteAfterMs) await tellEachNumber(c.env, accountId);
  });
  return c.json(settings);
});
