import { Hono } from 'hono';
import { z } from 'zod';
import { invalidField, type Refusal } from '../../../../contract/errors.ts';
import { uuidSchema } from '../../../../contract/ids.ts';
import {
  defaultKeyScopes,
  keyScopeSchema,
  keyScopes,
  scopesInForce,
  tooWideScope,
} from '../../../../contract/key-scopes.ts';
import { isoTime } from '../../../../contract/times.ts';
import { isAddressRange } from '../../../../durable/account/configuration/key-ring.ts';
import { newUuid } from '../../../../durable/new-ids.ts';
import type { AppEnv } from '../../../app-env.ts';
import { administrator } from '../../../auth/callers.ts';
import { steppedUp } from '../../../auth/step-up.ts';
import { roomFor } from '../../../caps.ts';
import { configurationChanged } from '../../../configuration-changed.ts';
import { type Database, openDatabase } from '../../../db/database.ts';
import { renderRefusal } from '../../../http/answer/refusal-response.ts';
import { jsonBody } from '../../../http/request/body/json-body.ts';
import { listQuery, page, query } from '../../../http/request/query.ts';
import { nameSchema, notFound, uuidPathId } from '../../../http/request/shared-fields.ts';
import { askAccount } from '../../../object-calls.ts';
import { auditOf } from '../../audit-log/audit-context.ts';
import { foreignNumbers } from '../../numbers/rows.ts';
import type { apiKeyListSchema, apiKeySchema, createdApiKeySchema } from '../records.ts';
import { newApiKey } from './api-key.ts';
import { type ApiKeyRow, findApiKey, insertApiKey, listApiKeys, updateApiKey } from './rows.ts';

export const apiKeyRoutes = new Hono<AppEnv>();
apiKeyRoutes.use(administrator);

/** It has to do with one number alone. */
const isStrict = ({ pinnedNumberId, onPinFailure }: Pick<ApiKeyRow, 'pinnedNumberId' | 'onPinFailure'>) =>
  pinnedNumberId !== null && onPinFailure === 'strict';

const keyPath = uuidPathId('id', 'API key');

const show = (row: ApiKeyRow) => ({
  id: row.id,
  name: row.name,
  prefix: row.prefix,
  mode: row.pinnedNumberId === null ? ('pool' as const) : ('pinned' as const),
  pinnedNumberId: row.pinnedNumberId,
  onPinFailure: row.onPinFailure,
  scopes: scopesInForce(row.scopes, isStrict(row)),
  createdAt: isoTime(row.createdAt),
  lastUsedAt: isoTime(row.lastUsedAt),
  // Only a key that ends by itself says so.
  ...(row.expiresAt === null ? {} : { expiresAt: isoTime(row.expiresAt) }),
  ...(row.allowedAddresses === null ? {} : { allowedAddresses: row.allowedAddresses }),
});

const pinnedNumberSchema = uuidSchema.nullable();
const onPinFailureSchema = z.enum(['strict', 'fallback']);

/** The last moment that a time with four digits for its year can name. */
const latestTime = Date.parse('9999-12-31T23:59:59.999Z');
const allowedAddressesMax = 100;

const scopesSchema = z.array(keyScopeSchema).min(1).max(keyScopes.length);
const allowedAddressesSchema = z
  .array(z.string().refine(isAddressRange, 'Must be an IP address or a range in CIDR notation.'))
  .min(1)
  .max(allowedAddressesMax)
  .nullable();

const createSchema = z.strictObject({
  name: nameSchema,
  pinnedNumberId: pinnedNumberSchema.default(null),
  onPinFailure: onPinFailureSchema.default('strict'),
  scopes: scopesSchema.optional(),
  expiresAt: z.iso
    .datetime({ offset: true })
    .refine((time) => Date.parse(time) > Date.now(), 'Must be in the future.')
    .refine((time) => Date.parse(time) <= latestTime, 'Must not be after the year 9999 (UTC).')
    .nullable()
    .default(null),
  allowedAddresses: allowedAddressesSchema.default(null),
});

/** The refusal of a key that would have to do with one number, and with all of the account; null where it has not. */
function tooWide(key: Pick<ApiKeyRow, 'pinnedNumberId' | 'onPinFailure' | 'scopes'>): Refusal | null {
  const scope = isStrict(key) ? tooWideScope(key.scopes) : undefined;
  if (scope === undefined) return null;
  const what = scope === 'contacts' ? 'the contacts of the whole account' : 'the events of all numbers';
  return invalidField(
    'scopes',
    `A key pinned with "strict" cannot have the scope ${scope}, which opens ${what}.`,
  );
}

const foreignPin = invalidField('pinnedNumberId', 'The account has no such number.');
const isForeignPin = async (db: Database, accountId: string, numberId: string | null | undefined) =>
  typeof numberId === 'string' && (await foreignNumbers(db, accountId, [numberId])).length > 0;

apiKeyRoutes.post('/', steppedUp, jsonBody(createSchema), async (c) => {
  const input = c.req.valid('json');
  const { name, pinnedNumberId, onPinFailure, expiresAt, allowedAddresses } = input;
  const isOneNumbers = isStrict({ pinnedNumberId, onPinFailure });
  const scopes = [...new Set(input.scopes ?? scopesInForce(defaultKeyScopes, isOneNumbers))];
  const { accountId } = c.get('caller');
  const db = openDatabase(c.env.DB);
  if (await isForeignPin(db, accountId, pinnedNumberId)) return renderRefusal(c, foreignPin);
  const wide = tooWide({ pinnedNumberId, onPinFailure, scopes });
  if (wide !== null) return renderRefusal(c, wide);
  const room = await roomFor(c, 'keys');
  if (!room.ok) return renderRefusal(c, room);
  const { key, keyHash, prefix } = newApiKey(accountId, c.env.KEY_CHECKSUM_SECRET);
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
    scopes,
    allowedAddresses,
  };
  if (!(await insertApiKey(row, auditOf(c), room.most))) return renderRefusal(c, room.refusal);
  await configurationChanged(c.env, accountId);
  return c.json<z.infer<typeof createdApiKeySchema>>({ ...show(row), key }, 201);
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
  return c.json<z.infer<typeof apiKeyListSchema>>(page(c, exact, limit, (row) => row.id, show));
});

const changesSchema = z
  .strictObject({
    name: nameSchema,
    pinnedNumberId: pinnedNumberSchema,
    onPinFailure: onPinFailureSchema,
    scopes: scopesSchema,
    allowedAddresses: allowedAddressesSchema,
  })
  .partial();

/** Effective with the next request of the key. */
apiKeyRoutes.patch('/:id', keyPath, jsonBody(changesSchema), async (c) => {
  const input = c.req.valid('json');
  const { accountId } = c.get('caller');
  const db = openDatabase(c.env.DB);
  if (await isForeignPin(db, accountId, input.pinnedNumberId)) return renderRefusal(c, foreignPin);
  const before = await findApiKey(db, accountId, c.req.param('id'));
  if (before === null) return renderRefusal(c, notFound('API key'));
  // One that was made before may have been given more than it has: it does not get that when its pin is changed.
  const held = scopesInForce(before.scopes, isStrict(before));
  const scopes = input.scopes ? [...new Set(input.scopes)] : held;
  const isOther = input.scopes !== undefined || held.length < before.scopes.length;
  const changes = { ...input, ...(isOther && { scopes }) };
  const wide = tooWide({ ...before, ...changes });
  if (wide !== null) return renderRefusal(c, wide);
  const row = await updateApiKey(before, changes, auditOf(c));
  await configurationChanged(c.env, accountId);
  const used = await askAccount(c.env, accountId, (account) => account.keyUsage());
  if (row === null) return renderRefusal(c, notFound('API key'));
  return c.json<z.infer<typeof apiKeySchema>>(show({ ...row, lastUsedAt: used[row.id] ?? row.lastUsedAt }));
});

apiKeyRoutes.delete('/:id', keyPath, async (c) => {
  const { accountId } = c.get('caller');
  const db = openDatabase(c.env.DB);
  const row = await findApiKey(db, accountId, c.req.param('id'));
  if (row !== null) await updateApiKey(row, { revokedAt: Date.now() }, auditOf(c), 'revoked');
  // Also when there was nothing to revoke: it mends a first call that was cut off between the two steps.
  await configurationChanged(c.env, accountId);
  return row === null ? renderRefusal(c, notFound('API key')) : c.body(null, 204);
});
