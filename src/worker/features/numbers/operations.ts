import { Hono } from 'hono';
import { z } from 'zod';
import { defaultPacing, openFilters } from '../../../contract/sender-settings.ts';
import { isoTime } from '../../../contract/times.ts';
import { newUuid } from '../../../durable/new-ids.ts';
import type { AppEnv } from '../../app-env.ts';
import { administrator, keyOrAdministrator, onlyNumberOf } from '../../auth/callers.ts';
import { steppedUp } from '../../auth/step-up.ts';
import { roomFor } from '../../caps.ts';
import { configurationChanged } from '../../configuration-changed.ts';
import { openDatabase } from '../../db/database.ts';
import { showTag } from '../../http/answer/entity-tag.ts';
import { renderRefusal } from '../../http/answer/refusal-response.ts';
import { jsonBody } from '../../http/request/body/json-body.ts';
import { listQuery, page, query } from '../../http/request/query.ts';
import { nameSchema } from '../../http/request/shared-fields.ts';
import { askAccount, askLog, askNumber } from '../../object-calls.ts';
import { auditOf } from '../audit-log/audit-context.ts';
import { noSuchNumber, numberPath, ownNumber } from './own-number.ts';
import type { numberHealthSchema, phoneNumberListSchema, phoneNumberSchema } from './records.ts';
import { deleteNumber, findNumber, insertNumber, listNumbers, type NumberRow } from './rows.ts';
import { configuredOf, showLive, showReported } from './shown-number.ts';

export const numberRoutes = new Hono<AppEnv>();

const reader = keyOrAdministrator('numbers:read');

numberRoutes.post('/', administrator, jsonBody(z.strictObject({ label: nameSchema })), async (c) => {
  const { accountId } = c.get('caller');
  const allowed = await roomFor(c, 'numbers');
  if (!allowed.ok) return renderRefusal(c, allowed);
  const numberId = newUuid();
  const row: NumberRow = {
    id: numberId,
    accountId,
    label: c.req.valid('json').label,
    inPool: true,
    createdAt: Date.now(),
    pacing: defaultPacing,
    filters: openFilters,
    session: null,
    teamIds: null,
  };
  // The object first: a number that can be seen must work, and an object that nobody can see does no harm. Through the
  // account, so that it is made near it.
  const near = nearestLocation(c.req.raw);
  await askAccount(c.env, accountId, (account) => account.provisionNumber(numberId, defaultPacing, near));
  const inserted = await insertNumber(openDatabase(c.env.DB), row, auditOf(c), allowed.most);
  if (!inserted) return renderRefusal(c, allowed.refusal);
  await configurationChanged(c.env, accountId);
  const created = await findNumber(openDatabase(c.env.DB), accountId, numberId);
  return created === null
    ? renderRefusal(c, noSuchNumber)
    : c.json<z.infer<typeof phoneNumberSchema>>(await showLive(c.env, created), 201);
});

numberRoutes.get('/', reader, query(z.strictObject(listQuery)), async (c) => {
  const { limit, cursor } = c.req.valid('query');
  const { accountId } = c.get('caller');
  const [rows, senders, loads] = await Promise.all([
    listNumbers(openDatabase(c.env.DB), accountId, limit, cursor, onlyNumberOf(c)),
    askAccount(c.env, accountId, (account) => account.senders()),
    askAccount(c.env, accountId, (account) => account.senderLoads()),
  ]);
  const shown = (row: NumberRow) => showReported(row, senders[row.id], loads[row.id]);
  return c.json<z.infer<typeof phoneNumberListSchema>>(page(rows, limit, (row) => row.id, shown));
});

numberRoutes.get('/:id', reader, numberPath, async (c) => {
  const row = await ownNumber(c);
  if (row === null) return renderRefusal(c, noSuchNumber);
  showTag(c, configuredOf(row));
  return c.json<z.infer<typeof phoneNumberSchema>>(await showLive(c.env, row));
});

/** How the number is, and what it was before: the last changes, newest first. */
numberRoutes.get('/:id/health', reader, numberPath, async (c) => {
  const row = await ownNumber(c);
  if (row === null) return renderRefusal(c, noSuchNumber);
  const { status, reason, until, changes } = await askNumber(c.env, row.id, (number) => number.health());
  return c.json<z.infer<typeof numberHealthSchema>>({
    numberId: row.id,
    status,
    reason,
    until: isoTime(until),
    changes: changes.map((change) => ({
      at: isoTime(change.at),
      status: change.status,
      reason: change.reason,
      until: isoTime(change.until),
    })),
  });
});

numberRoutes.delete('/:id', administrator, numberPath, steppedUp, async (c) => {
  const row = await ownNumber(c);
  const { accountId } = c.get('caller');
  if (row === null) {
    // It mends a first call that was cut off before the account heard of it.
    await configurationChanged(c.env, accountId);
    return renderRefusal(c, noSuchNumber);
  }
  await askNumber(c.env, row.id, (number) => number.remove());
  await deleteNumber(openDatabase(c.env.DB), row, auditOf(c));
  await configurationChanged(c.env, accountId);
  await askLog(c.env, accountId, (log) => log.forgetNumber(row.id));
  return c.body(null, 204);
});

/** Continents as the platform names them; Europe and North America are halved by longitude. */
const byContinent: Record<string, DurableObjectLocationHint> = {
  AF: 'afr',
  AS: 'apac',
  OC: 'oc',
  SA: 'sam',
};
const easternEuropeFrom = 20;
const easternAmericaFrom = -100;

/** Where objects for this caller are best made; null where the platform does not say where the caller is. */
export function nearestLocation(request: Request): DurableObjectLocationHint | null {
  const { continent, longitude } = (request.cf ?? {}) as { continent?: string; longitude?: string };
  const east = Number(longitude ?? Number.NaN);
  if (continent === 'EU') return east >= easternEuropeFrom ? 'eeur' : 'weur';
  if (continent === 'NA') return east >= easternAmericaFrom ? 'enam' : 'wnam';
  return byContinent[continent ?? ''] ?? null;
}
