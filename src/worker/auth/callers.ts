import type { Context, MiddlewareHandler } from 'hono';
import { type Refusal, refuse } from '../../contract/errors.ts';
import type { AppEnv, Caller } from '../app-env.ts';
import { renderRefusal } from '../http/refusal-response.ts';
import { accountOfApiKey, hashApiKey } from '../keys/api-key.ts';
import { askAccount } from '../object-calls.ts';
import { verifyToken } from './dashboard-token.ts';
import { bearerToken } from './secret-equal.ts';

type Found = { ok: true; caller: Caller } | Refusal;

/** Missing, malformed, unknown and revoked keys get the very same answer. */
export const invalidApiKey = () => refuse('INVALID_API_KEY', 'The API key is missing, unknown or revoked.');

async function byApiKey(c: Context<AppEnv>): Promise<Found> {
  const key = c.req.header('X-API-Key') ?? '';
  const accountId = accountOfApiKey(key);
  if (accountId === null) return invalidApiKey();
  const check = await askAccount(c.env, accountId, (account) => account.checkKey(hashApiKey(key)));
  return check.ok ? { ok: true, caller: { kind: 'key', accountId, keyId: check.keyId } } : invalidApiKey();
}

async function byToken(c: Context<AppEnv>): Promise<Found> {
  const token = bearerToken(c.req.header('Authorization'));
  const claims = token === null ? null : await verifyToken(c.env.JWT_PRIVATE_KEY, token);
  if (claims === null)
    return refuse('UNAUTHENTICATED', 'Sign in: the token is missing, expired or not ours.');
  return { ok: true, caller: { kind: 'user', ...claims } };
}

function callers(find: (c: Context<AppEnv>) => Promise<Found>): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const found = await find(c);
    if (!found.ok) return renderRefusal(c, found);
    const { caller } = found;
    c.set('caller', caller);
    const log = c.get('log');
    log.accountId = caller.accountId;
    if (caller.kind === 'key') log.keyId = caller.keyId;
    else log.userId = caller.userId;
    return next();
  };
}

/** Anyone who is signed in to the dashboard. */
export const signedIn = callers(byToken);

async function byAdminToken(c: Context<AppEnv>): Promise<Found> {
  const found = await byToken(c);
  return found.ok ? administrating(found) : found;
}

function administrating(found: Found & { ok: true }): Found {
  const { caller } = found;
  if (caller.kind === 'user' && caller.role === 'agent') {
    return refuse('FORBIDDEN', 'Only an owner or an admin of the account may do this.');
  }
  return found;
}

/** An owner or admin, signed in to the dashboard. */
export const administrator = callers(byAdminToken);

/** An API key, or an owner or admin: for reads that a customer's server may do too. The key decides where both are sent. */
export const reader = callers((c) =>
  c.req.header('X-API-Key') === undefined ? byAdminToken(c) : byApiKey(c),
);
