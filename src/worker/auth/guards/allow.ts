import type { Context, MiddlewareHandler } from 'hono';
import { type Refusal, refuse } from '../../../contract/errors.ts';
import { settingsOf } from '../../../settings/worker-settings.ts';
import type { AppEnv, Caller } from '../../app-env.ts';
import { checksumSecretsOf } from '../../features/account/keys/genuine-key.ts';
import { bridgeOfToken } from '../../features/bridges/bridge-tokens.ts';
import { renderRefusal } from '../../http/answer/refusal-response.ts';
import { isForeignOrigin } from '../../http/cross-origin.ts';
import { callerByKey, keyOfRequest } from '../checks/api-key-check.ts';
import { callerByToken, type UserCaller } from '../checks/token-check.ts';
import { isOperatorsAddress, operatorCheck } from '../operator.ts';
import { bearerToken } from '../secret-equal.ts';
import { type Guard, marked } from './guard.ts';

/** Lets in whom the guard names, and refuses everybody else. Who was let in stands in the context. */
export function allow(guard: Guard): MiddlewareHandler<AppEnv> {
  Object.freeze(guard);
  return marked({ guard }, async (c, next) => {
    const refusal = await refusalOf(c, guard);
    return refusal === null ? next() : renderRefusal(c, refusal);
  });
}

/** In this order: where a request has several credentials, the first that the guard names decides. */
async function refusalOf(c: Context<AppEnv>, guard: Guard): Promise<Refusal | null> {
  const asksForCookie = guard.asks === 'refreshCookie' || guard.asks === 'refreshCookieIfAny';
  if (asksForCookie && isForeignOrigin(c)) return refuse('FORBIDDEN', 'Not from this origin.');
  if (guard.anybody) return null;
  if (guard.signedUrl && c.req.query('signature') !== undefined) return null;
  const operator = guard.operator ? await operatorCheck(c) : null;
  if (operator?.isOperator) return null;
  if (guard.newcomers && isOpenToNewcomer(c)) return null;
  if (guard.bridges) return bridgeRefusal(c);
  const takesTokens = guard.people !== undefined || guard.operatingPeople === true;
  if (guard.key !== undefined && (!takesTokens || c.req.header('X-API-Key') !== undefined))
    return keyRefusal(c, guard.key, guard.keyIsCheckedByRoute === true);
  if (takesTokens) return tokenRefusal(c, guard);
  return operator?.refusal ?? refuse('UNAUTHENTICATED', 'Only the operator may do this.');
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
      : 'Only an owner or an admin of the account may do this.',
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
