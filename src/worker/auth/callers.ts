import type { Context, MiddlewareHandler } from 'hono';
import { type Refusal, refuse } from '../../contract/errors.ts';
import type { KeyScope } from '../../contract/key-scopes.ts';
import { settingsOf } from '../../settings/worker-settings.ts';
import type { AppEnv, Caller } from '../app-env.ts';
import { checksumSecretsOf } from '../features/account/keys/genuine-key.ts';
import type { Role } from '../features/account/rows/accounts.ts';
import { bridgeOfToken } from '../features/bridges/bridge-tokens.ts';
import { renderRefusal } from '../http/answer/refusal-response.ts';
import { isForeignOrigin } from '../http/cross-origin.ts';
import { unreadQuery } from '../http/request/query.ts';
import { callerByKey, keyOfRequest, keyStands } from './checks/api-key-check.ts';
import { callerByToken, personStands, type UserCaller } from './checks/token-check.ts';
import { type Guard, marked } from './guards.ts';
import { isOperatorsAddress, operatorCheck } from './operator.ts';
import { bearerToken } from './tokens/secret-token.ts';

/** Lets in whom the guard names, and refuses everybody else. Who was let in stands in the context. */
export function allow(guard: Guard): MiddlewareHandler<AppEnv> {
  Object.freeze(guard);
  return marked({ guard }, async (c, next) => {
    // What has its key checked by the route says so first, and reads its query itself.
    const refusal = (await refusalOf(c, guard)) ?? (guard.keyIsCheckedByRoute ? null : unreadQuery(c));
    return refusal === null ? next() : renderRefusal(c, refusal);
  });
}

/** In this order: where a request has several credentials, the first that the guard names decides. */
async function refusalOf(c: Context<AppEnv>, guard: Guard): Promise<Refusal | null> {
  const asksForCookie = guard.asks === 'refreshCookie' || guard.asks === 'refreshCookieIfAny';
  if (asksForCookie && isForeignOrigin(c))
    return refuse('FORBIDDEN', 'Requests from this origin are not allowed.');
  if (guard.anybody) return null;
  if (guard.signedUrl && c.req.query('signature') !== undefined) return null;
  const operator = guard.operator ? await operatorCheck(c) : null;
  if (operator?.isOperator) return null;
  if (guard.newcomers && isOpenToNewcomer(c)) return null;
  if (guard.bridges) return bridgeRefusal(c);
  const takesTokens = guard.people !== undefined || guard.operatingPeople === true;
  // An empty header is as if it was not sent.
  const bringsKey = (c.req.header('X-API-Key') ?? '') !== '';
  if (guard.key !== undefined && (!takesTokens || bringsKey))
    return keyRefusal(c, guard.key, guard.keyIsCheckedByRoute === true);
  if (takesTokens) return tokenRefusal(c, guard);
  return operator?.refusal ?? refuse('UNAUTHENTICATED', 'Only the operator can do this.');
}

const isOpenToNewcomer = (c: Context<AppEnv>) =>
  settingsOf(c.env).SIGNUP === 'open' && c.req.header('Authorization') === undefined;

/** What a bridge says of its id elsewhere counts for nothing. */
function bridgeRefusal(c: Context<AppEnv>): Refusal | null {
  const token = bearerToken(c.req.header('Authorization')) ?? '';
  const bridge = bridgeOfToken(token, checksumSecretsOf(c.env));
  if (bridge === null) return refuse('UNAUTHENTICATED', 'Only session bridges connect here.');
  c.set('bridgeId', bridge.bridgeId);
  c.set('bridgeRegion', bridge.region);
  c.set('bridgeGeneration', bridge.generation);
  return null;
}

async function keyRefusal(
  c: Context<AppEnv>,
  scope: NonNullable<Guard['key']>,
  isCheckedByRoute: boolean,
): Promise<Refusal | null> {
  if (isCheckedByRoute) {
    const named = await keyOfRequest(c);
    if ('ok' in named) return named;
    c.set('namedKey', { ...named, scope });
    c.get('log').accountId = named.accountId;
    return null;
  }
  const found = await callerByKey(c, scope);
  return found.ok ? letIn(c, found.caller) : found;
}

async function tokenRefusal(c: Context<AppEnv>, guard: Guard): Promise<Refusal | null> {
  const found = await callerByToken(c);
  if (!found.ok) return found;
  const { caller } = found;
  if (guard.people?.includes(caller.role) || (guard.operatingPeople && runsTheGateway(c, caller)))
    return letIn(c, caller);
  return refuse(
    'FORBIDDEN',
    guard.people === undefined
      ? 'Only people who run the gateway may do this.'
      : 'Only an owner or an admin of the account can do this.',
  );
}

const runsTheGateway = (c: Context<AppEnv>, { email }: UserCaller) => isOperatorsAddress(c.env, email);

function letIn(c: Context<AppEnv>, caller: Caller): null {
  c.set('caller', caller);
  const log = c.get('log');
  log.accountId = caller.accountId;
  if (caller.kind === 'key') log.keyId = caller.keyId;
  else log.userId = caller.userId;
  return null;
}

/*
 * Who may call a route. Each route begins with one of these. The OpenAPI document, and the test of who may do what, read it
 * from there.
 */

const everybody: readonly Role[] = ['owner', 'admin', 'agent'];
const administrators: readonly Role[] = ['owner', 'admin'];

/** Whoever asks, with or without a credential. */
export const anybody = allow({ anybody: true });

/** Anyone who is signed in to the dashboard. */
export const signedIn = allow({ people: everybody });

/** An owner or admin, signed in to the dashboard. */
export const administrator = allow({ people: administrators });

/** An API key with this scope, or an owner or admin. The key decides where both are sent. */
export const keyOrAdministrator = (scope: KeyScope) => allow({ key: scope, people: administrators });

/** An API key with this scope, or anyone who is signed in. The key decides where both are sent. */
export const keyOrPerson = (scope: KeyScope) => allow({ key: scope, people: everybody });

/**
 * An API key with this scope. The key is only parsed here; the account checks it in the call that does the work, so that one
 * distant call is enough. It is in the context as `namedKey`.
 */
export const keyCheckedByRoute = (scope: KeyScope) => allow({ key: scope, keyIsCheckedByRoute: true });

/** As {@link keyOrPerson}, and whoever brings a signed URL, which the route verifies. */
export const keyOrPersonOrSignedUrl = (scope: KeyScope) =>
  allow({ key: scope, people: everybody, signedUrl: true });

/** The operator of the gateway, by its token: no credential of an account does. */
export const operator = allow({ operator: true });

/** The operator's token, or a person who runs the gateway and is signed in. */
export const operatorOrPerson = allow({ operator: true, operatingPeople: true });

/** The operator's token; where the gateway is open to sign-ups, also whoever brings none. */
export const operatorOrNewcomer = allow({ operator: true, newcomers: true });

/** Anybody from our own pages, or those that `CORS_ORIGINS` names: the refresh cookie goes with whatever page asks. */
export const ownPages = allow({ anybody: true, asks: 'refreshCookieIfAny' });

/** As {@link ownPages}; without the cookie the route refuses them. */
export const ownPagesWithCookie = allow({ anybody: true, asks: 'refreshCookie' });

/** Whoever has an enrolment token, which the route asks the fleet about. */
export const newBridge = allow({ anybody: true, asks: 'enrolmentToken' });

/** Session bridges, each as itself. */
export const bridge = allow({ bridges: true });

/** The person behind a request that {@link signedIn} or {@link administrator} let in. */
export function personOf(c: Context<AppEnv>): UserCaller {
  const caller = c.get('caller');
  if (caller.kind !== 'user') throw new Error('a key came through where only people may');
  return caller;
}

/** The only number that the caller may read about; null for all of the account. */
export function onlyNumberOf(c: Context<AppEnv>): string | null {
  const caller = c.get('caller');
  return caller.kind === 'key' ? caller.onlyNumberId : null;
}

/** Whether the caller of a request that goes on may still do what it does. */
export const callerStands = (env: Env, caller: Caller): Promise<boolean> =>
  caller.kind === 'key' ? keyStands(env, caller) : personStands(env, caller);
