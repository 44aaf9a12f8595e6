import type { Context, MiddlewareHandler } from 'hono';
import { type Refusal, refuse } from '../../contract/errors.ts';
import type { KeyScope } from '../../contract/key-scopes.ts';
import type { AppEnv, Caller } from '../app-env.ts';
import { renderRefusal } from '../http/answer/refusal-response.ts';
import { callerByKey, keyStands } from './checks/api-key-check.ts';
import { callerByToken, personStands, type UserCaller } from './checks/token-check.ts';
import { isOperator, isOperatorsAddress } from './operator.ts';

type Found = { ok: true; caller: Caller } | Refusal;

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
export const signedIn = callers(callerByToken);

/** The person behind a request that {@link signedIn} or {@link administrator} let in. */
export function personOf(c: Context<AppEnv>): UserCaller {
  const caller = c.get('caller');
  if (caller.kind !== 'user') throw new Error('a key came through where only people may');
  return caller;
}

async function byAdminToken(c: Context<AppEnv>): Promise<Found> {
  const found = await callerByToken(c);
  if (!found.ok || found.caller.role !== 'agent') return found;
  return refuse('FORBIDDEN', 'Only an owner or an admin of the account may do this.');
}

/** An owner or admin, signed in to the dashboard. */
export const administrator = callers(byAdminToken);

async function byOperatorsToken(c: Context<AppEnv>): Promise<Found> {
  const found = await callerByToken(c);
  if (!found.ok || isOperatorsAddress(c.env, found.caller.email)) return found;
  return refuse('FORBIDDEN', 'Only people who run the gateway may do this.');
}

const operatingPerson = callers(byOperatorsToken);

/** The operator's token, or a person who runs the gateway and is signed in: {@link isOperatorsAddress}. */
export const operatorOrPerson: MiddlewareHandler<AppEnv> = async (c, next) =>
  isOperator(c) ? next() : operatingPerson(c, next);

/** An API key with this scope, or an owner or admin. The key decides where both are sent. */
export const keyOrAdministrator = (scope: KeyScope) =>
  callers((c) => (c.req.header('X-API-Key') === undefined ? byAdminToken(c) : callerByKey(c, scope)));

/** An API key with this scope, or anyone who is signed in. The key decides where both are sent. */
export const keyOrPerson = (scope: KeyScope) =>
  callers((c) => (c.req.header('X-API-Key') === undefined ? callerByToken(c) : callerByKey(c, scope)));

/** The only number that the caller may read about; null for all of the account. */
export function onlyNumberOf(c: Context<AppEnv>): string | null {
  const caller = c.get('caller');
  return caller.kind === 'key' ? caller.onlyNumberId : null;
}

/** Whether the caller of a request that goes on may still do what it does. */
export const callerStands = (env: Env, caller: Caller): Promise<boolean> =>
  caller.kind === 'key' ? keyStands(env, caller) : personStands(env, caller);
