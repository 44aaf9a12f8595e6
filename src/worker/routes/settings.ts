import { Hono } from 'hono';
import { z } from 'zod';
import { accountSettingsSchema } from '../../contract/account-settings.ts';
import { filtersSchema } from '../../contract/sender-settings.ts';
import type { AppEnv } from '../app-env.ts';
import { administrator, reader } from '../auth/callers.ts';
import { findSettings, updateSettings } from '../db/account-settings.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { numberIds } from '../db/numbers.ts';
import { jsonBody } from '../http/json-body.ts';
import { fieldsOf, merged } from '../http/partial-object.ts';
import { notFound } from '../http/path-id.ts';
import { renderRefusal } from '../http/refusal-response.ts';
import { askAccount, askNumber } from '../object-calls.ts';
import { auditOf } from './audit-context.ts';

const numbersAtOnce = 20;

export const settingsRoutes = new Hono<AppEnv>();

const { filters: _filters, optOut, ...plain } = accountSettingsSchema.shape;
const settingsChangesSchema = z
  .strictObject({ ...plain, filters: fieldsOf(filtersSchema), optOut: fieldsOf(optOut) })
  .partial();

settingsRoutes.get('/', reader, async (c) => {
  const settings = await findSettings(openDatabase(c.env.DB), c.get('caller').accountId);
  return settings === null ? renderRefusal(c, notFound('account')) : c.json(settings);
});

/** Numbers that are away learn of it now; each also learns it with every report. */
async function tellNumbers(env: Env, db: Database, accountId: string, rerouteAfterMs: number): Promise<void> {
  const ids = await numberIds(db, accountId);
  for (let start = 0; start < ids.length; start += numbersAtOnce) {
    const slice = ids.slice(start, start + numbersAtOnce);
    await Promise.all(
      slice.map((id) => askNumber(env, id, (number) => number.configureReroute(rerouteAfterMs))),
    );
  }
}

/** Every field may be left out, also within `filters` and `optOut`, and then keeps its value. */
settingsRoutes.patch('/', administrator, jsonBody(settingsChangesSchema), async (c) => {
  const { accountId } = c.get('caller');
  const db = openDatabase(c.env.DB);
  const current = await findSettings(db, accountId);
  if (current === null) return renderRefusal(c, notFound('account'));
  const { filters, optOut: words, ...changes } = c.req.valid('json');
  const newFilters = merged(filtersSchema, 'filters', current.filters, filters ?? {});
  if (!newFilters.ok) return renderRefusal(c, newFilters);
  const newWords = merged(optOut, 'optOut', current.optOut, words ?? {});
  if (!newWords.ok) return renderRefusal(c, newWords);
  const settings = { ...current, ...changes, filters: newFilters.value, optOut: newWords.value };
  await updateSettings(db, accountId, settings, auditOf(c));
  await askAccount(c.env, accountId, (account) => account.refresh());
  if (settings.rerouteAfterMs !== current.rerouteAfterMs) {
    await tellNumbers(c.env, db, accountId, settings.rerouteAfterMs);
  }
  return c.json(settings);
});
