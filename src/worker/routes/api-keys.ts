import { Hono } from 'hono';
import { z } from 'zod';
import { uuidSchema } from '../../contract/ids.ts';
import { newUuid } from '../../durable/new-ids.ts';
import type { AppEnv } from '../app-env.ts';
import { administrator } from '../auth/callers.ts';
import { type ApiKeyRow, insertApiKey, listApiKeys, revokeApiKey } from '../db/api-keys.ts';
import { openDatabase } from '../db/database.ts';
import { foreignNumbers } from '../db/numbers.ts';
import { jsonBody } from '../http/json-body.ts';
import { notFound, uuidPathId } from '../http/path-id.ts';
import { listQuery, page, query } from '../http/query.ts';
import { renderRefusal } from '../http/refusal-response.ts';
import { nameSchema } from '../http/shared-fields.ts';
import { invalidField } from '../http/validation-details.ts';
import { newApiKey } from '../keys/api-key.ts';
import { askAccount } from '../object-calls.ts';
import { auditOf } from './audit-context.ts';

export const apiKeyRoutes = new Hono<AppEnv>();
apiKeyRoutes.use(administrator);

const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString());

const show = (row: ApiKeyRow) => ({
  id: row.id,
  name: row.name,
  prefix: row.prefix,
  mode: row.pinnedNumberId === null ? ('pool' as const) : ('pinned' as const),
  pinnedNumberId: row.pinnedNumberId,
  onPinFailure: row.onPinFailure,
  createdAt: iso(row.createdAt),
  lastUsedAt: iso(row.lastUsedAt),
});

const createSchema = z.strictObject({
  name: nameSchema,
  pinnedNumberId: uuidSchema.toLowerCase().nullable().default(null),
  onPinFailure: z.enum(['strict', 'fallback']).default('strict'),
});

apiKeyRoutes.post('/', jsonBody(createSchema), async (c) => {
  const { name, pinnedNumberId, onPinFailure } = c.req.valid('json');
  const { accountId } = c.get('caller');
  const db = openDatabase(c.env.DB);
  if (pinnedNumberId !== null && (await foreignNumbers(db, accountId, [pinnedNumberId])).length > 0) {
    return renderRefusal(c, invalidField('pinnedNumberId', 'The account has no such number.'));
  }
  const { key, keyHash, prefix } = newApiKey(accountId);
  const row: ApiKeyRow = {
    id: newUuid(),
    accountId,
    name,
    keyHash,
    prefix,
    pinnedNumberId,
    onPinFailure,
    createdAt: Date.now(),
    lastUsedAt: null,
    revokedAt: null,
  };
  await insertApiKey(db, row, auditOf(c));
  await askAccount(c.env, accountId, (account) => account.refresh());
  return c.json({ ...show(row), key }, 201);
});

apiKeyRoutes.get('/', query(z.strictObject(listQuery)), async (c) => {
  const { limit, cursor } = c.req.valid('query');
  const { accountId } = c.get('caller');
  const [rows, used] = await Promise.all([
    listApiKeys(openDatabase(c.env.DB), accountId, limit, cursor),
    // D1 is told only now and then; the account itself knows exactly.
    askAccount(c.env, accountId, (account) => account.keyUsage()),
  ]);
  const exact = rows.map((row) => ({ ...row, lastUsedAt: used[row.id] ?? row.lastUsedAt }));
  return c.json(page(exact, limit, (row) => row.id, show));
});

apiKeyRoutes.delete('/:id', uuidPathId('id', 'API key'), async (c) => {
  const { accountId } = c.get('caller');
  const revoked = await revokeApiKey(openDatabase(c.env.DB), accountId, c.req.param('id'), auditOf(c));
  // Also when there was nothing to revoke: it mends a first call that was cut off between the two steps.
  await askAccount(c.env, accountId, (account) => account.refresh());
  return revoked ? c.body(null, 204) : renderRefusal(c, notFound('API key'));
});
