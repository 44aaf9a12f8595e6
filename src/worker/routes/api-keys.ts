import { Hono } from 'hono';
import { z } from 'zod';
import { uuidSchema } from '../../contract/ids.ts';
import { newUuid } from '../../durable/new-ids.ts';
import type { AppEnv } from '../app-env.ts';
import { administrator } from '../auth/callers.ts';
import { configurationChanged } from '../configuration-changed.ts';
import { type ApiKeyRow, insertApiKey, listApiKeys, revokeApiKey, updateApiKey } from '../db/api-keys.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { foreignNumbers } from '../db/numbers.ts';
import { renderRefusal } from '../http/refusal-response.ts';
import { jsonBody } from '../http/request/json-body.ts';
import { notFound, uuidPathId } from '../http/request/path-id.ts';
import { listQuery, page, query } from '../http/request/query.ts';
import { nameSchema } from '../http/request/shared-fields.ts';
import { invalidField } from '../http/request/validation-details.ts';
import { newApiKey } from '../keys/api-key.ts';
import { askAccount } from '../object-calls.ts';
import { auditOf } from './audit-context.ts';

export const apiKeyRoutes = new Hono<AppEnv>();
apiKeyRoutes.use(administrator);

const keyPath = uuidPathId('id', 'API key');

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
  // Only a key that ends by itself says so.
  ...(row.expiresAt === null ? {} : { expiresAt: iso(row.expiresAt) }),
});

const pinnedNumberSchema = uuidSchema.toLowerCase().nullable();
const onPinFailureSchema = z.enum(['strict', 'fallback']);

const createSchema = z.strictObject({
  name: nameSchema,
  pinnedNumberId: pinnedNumberSchema.default(null),
  onPinFailure: onPinFailureSchema.default('strict'),
  expiresAt: z.iso
    .datetime({ offset: true })
    .refine((time) => Date.parse(time) > Date.now(), 'In the future.')
    .nullable()
    .default(null),
});

const foreignPin = invalidField('pinnedNumberId', 'The account has no such number.');
const isForeignPin = async (db: Database, accountId: string, numberId: string | null | undefined) =>
  typeof numberId === 'string' && (await foreignNumbers(db, accountId, [numberId])).length > 0;

apiKeyRoutes.post('/', jsonBody(createSchema), async (c) => {
  const { name, pinnedNumberId, onPinFailure, expiresAt } = c.req.valid('json');
  const { accountId } = c.get('caller');
  const db = openDatabase(c.env.DB);
  if (await isForeignPin(db, accountId, pinnedNumberId)) return renderRefusal(c, foreignPin);
  const { key, keyHash, prefix } = newApiKey(accountId, c.env.WEBHOOK_SEALING_KEY);
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
    expiresAt: expiresAt === null ? null : Date.parse(expiresAt),
    revokedAt: null,
  };
  await insertApiKey(db, row, auditOf(c));
  await configurationChanged(c.env, accountId);
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

const changesSchema = z
  .strictObject({ name: nameSchema, pinnedNumberId: pinnedNumberSchema, onPinFailure: onPinFailureSchema })
  .partial();

/** Effective with the next request of the key. */
apiKeyRoutes.patch('/:id', keyPath, jsonBody(changesSchema), async (c) => {
  const changes = c.req.valid('json');
  const { accountId } = c.get('caller');
  const db = openDatabase(c.env.DB);
  if (await isForeignPin(db, accountId, changes.pinnedNumberId)) return renderRefusal(c, foreignPin);
  const row = await updateApiKey(db, accountId, c.req.param('id'), changes, auditOf(c));
  await configurationChanged(c.env, accountId);
  const used = await askAccount(c.env, accountId, (account) => account.keyUsage());
  if (row === null) return renderRefusal(c, notFound('API key'));
  return c.json(show({ ...row, lastUsedAt: used[row.id] ?? row.lastUsedAt }));
});

apiKeyRoutes.delete('/:id', keyPath, async (c) => {
  const { accountId } = c.get('caller');
  const revoked = await revokeApiKey(openDatabase(c.env.DB), accountId, c.req.param('id'), auditOf(c));
  // Also when there was nothing to revoke: it mends a first call that was cut off between the two steps.
  await configurationChanged(c.env, accountId);
  return revoked ? c.body(null, 204) : renderRefusal(c, notFound('API key'));
});
