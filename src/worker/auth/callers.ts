import type { Context, MiddlewareHandler } from 'hono';
import { type Refusal, refuse } from '../../contract/errors.ts';
import { uuidSchema } from '../../contract/ids.ts';
import type { AppEnv, Caller } from '../app-env.ts';
import { findUserByEmail } from '../db/accounts.ts';
import { openDatabase } from '../db/database.ts';
import { findMember, findSignedIn } from '../db/people/sessions.ts';
import { showLimits } from '../http/rate-limit-headers.ts';
import { renderRefusal } from '../http/refusal-response.ts';
import { accountOfApiKey, hashApiKey } from '../keys/api-key.ts';
import { askAccount } from '../object-calls.ts';
import { bearerToken } from './secret-equal.ts';
import { verifyToken } from './tokens/dashboard-token.ts';
import { isOutsideToken, outsideEmail } from './tokens/outside-token.ts';

type UserCaller = Extract<Caller, { kind: 'user' }>;
type Found = { ok: true; caller: Caller } | Refusal;

/** Missing, malformed, unknown, expired and revoked keys get the very same answer; only the log tells them apart. */
function invalidApiKey(c: Context<AppEnv>, problem: 'missing' | 'malformed' | 'not_active'): Refusal {
  c.get('log').keyProblem = problem;
  return refuse('INVALID_API_KEY', 'The API key is missing, unknown or revoked.');
}

/** What an account has refused: an invalid key is told in one way, whoever found it. */
export const keyRefusal = (c: Context<AppEnv>, refusal: Refusal): Refusal =>
  refusal.code === 'INVALID_API_KEY' ? invalidApiKey(c, 'not_active') : refusal;

/** The account that the request's key names, or the refusal of what is no key. */
export function accountOfRequest(c: Context<AppEnv>): { accountId: string; keyHash: string } | Refusal {
  const key = c.req.header('X-API-Key') ?? '';
  const accountId = accountOfApiKey(key, c.env.WEBHOOK_SEALING_KEY);
  if (accountId === null) return invalidApiKey(c, key === '' ? 'missing' : 'malformed');
  return { accountId, keyHash: hashApiKey(key) };
}

async function byApiKey(c: Context<AppEnv>): Promise<Found> {
  const named = accountOfRequest(c);
  if ('ok' in named) return named;
  const { accountId, keyHash } = named;
  const check = await askAccount(c.env, accountId, (account) => account.checkKey(keyHash));
  showLimits(c, check.limits);
  if (check.ok) return { ok: true, caller: { kind: 'key', accountId, keyId: check.keyId } };
  return keyRefusal(c, check);
}

const unauthenticated = () =>
  refuse('UNAUTHENTICATED', 'Sign in: the token is missing, expired or not ours.');

async function byToken(c: Context<AppEnv>): Promise<Found & ({ caller: UserCaller } | { ok: false })> {
  const token = bearerToken(c.req.header('Authorization'));
  if (token === null) return unauthenticated();
  const caller = isOutsideToken(c.env, token) ? await byOutsideToken(c, token) : await byOwnToken(c, token);
  return caller === null ? unauthenticated() : { ok: true, caller };
}

/** A token is good for 15 minutes, but never longer than its session, or the membership that it was issued for. */
async function byOwnToken(c: Context<AppEnv>, token: string): Promise<UserCaller | null> {
  const claims = await verifyToken(c.env.JWT_PRIVATE_KEY, token);
  const now = claims && (await findSignedIn(openDatabase(c.env.DB), claims, Date.now()));
  return claims && now && { kind: 'user', ...claims, ...now };
}

/** The provider vouches for an e-mail address; it knows nothing of accounts, so `X-Account-Id` may name one. */
async function byOutsideToken(c: Context<AppEnv>, token: string): Promise<UserCaller | null> {
  const email = await outsideEmail(c.env, token);
  if (email === null) return null;
  const named = c.req.header('X-Account-Id');
  if (named !== undefined && !uuidSchema.safeParse(named).success) return null;
  const db = openDatabase(c.env.DB);
  const user = await findUserByEmail(db, email);
  const member = user && (await findMember(db, user.id, named));
  if (!member) return null;
  const { id: accountId, role } = member.account;
  return { kind: 'user', accountId, userId: member.user.id, email, role, sessionId: null };
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

/** The person behind a request that {@link signedIn} or {@link administrator} let in. */
export function personOf(c: Context<AppEnv>): UserCaller {
  const caller = c.get('caller');
  if (caller.kind !== 'user') throw new Error('a key came through where only people may');
  return caller;
}

async function byAdminToken(c: Context<AppEnv>): Promise<Found> {
  const found = await byToken(c);
  if (!found.ok || found.caller.role !== 'agent') return found;
  return refuse('FORBIDDEN', 'Only an owner or an admin of the account may do this.');
}

/** An owner or admin, signed in to the dashboard. */
export const administrator = callers(byAdminToken);

/** An API key, or an owner or admin: for reads that a customer's server may do too. The key decides where both are sent. */
export const reader = callers((c) =>
  c.req.header('X-API-Key') === undefined ? byAdminToken(c) : byApiKey(c),
);
