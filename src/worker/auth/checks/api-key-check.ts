import type { Context } from 'hono';
import type { Refusal } from '../../../contract/errors.ts';
import type { KeyScope } from '../../../contract/key-scopes.ts';
import type { LimitState } from '../../../durable/account/admission/rate-limits.ts';
import type { AppEnv, Caller } from '../../app-env.ts';
import { readApiKey } from '../../features/account/keys/genuine-key.ts';
import { showLimits } from '../../http/answer/rate-limit-headers.ts';
import { clientAddress } from '../../http/request/client-address.ts';
import { askAccount } from '../../object-calls.ts';
import { noValidKey } from '../made-up-keys/refusal-at-once.ts';
import { checkRefusal, failedCheck, noteEnded, noteGood } from './failed-checks.ts';

type KeyCaller = Extract<Caller, { kind: 'key' }>;

/** The key of a request, the account that it names, and the scope that it is to have. */
export type NamedKey = AppEnv['Variables']['namedKey'];

/** What was wrong with it only the log tells. */
function invalidApiKey(c: Context<AppEnv>, problem: 'missing' | 'malformed' | 'not_active'): Refusal {
  c.get('log').keyProblem = problem;
  return noValidKey();
}

/** The account that the request's key names, or the refusal of what is no key. Asks no object and no database. */
export async function keyOfRequest(c: Context<AppEnv>): Promise<Omit<NamedKey, 'scope'> | Refusal> {
  const key = c.req.header('X-API-Key') ?? '';
  if (key === '') return invalidApiKey(c, 'missing');
  const genuine = readApiKey(c.env, key);
  if (genuine === null) return failedCheck(c, 'forged', invalidApiKey(c, 'malformed'));
  const { accountId, keyHash } = genuine;
  return checkRefusal(c, keyHash) ?? { accountId, presented: { keyHash, address: clientAddress(c) } };
}

/** What the account has answered to the key: shows its limits, notes which it was, and remembers whether the key was good. */
export async function keyAnswer<Answer extends { ok: true } | Refusal>(
  c: Context<AppEnv>,
  { accountId, presented: { keyHash } }: Omit<NamedKey, 'scope'>,
  answer: Answer & { limits?: LimitState[]; keyId?: string },
): Promise<Extract<Answer, { ok: true }> | Refusal> {
  showLimits(c, answer.limits);
  const log = c.get('log');
  log.accountId = accountId;
  if (answer.keyId !== undefined) log.keyId = answer.keyId;
  // A key that is none, or is not accepted from there, is refused before any limit.
  if (!answer.ok && answer.limits === undefined) {
    const isNone = answer.code === 'INVALID_API_KEY';
    const refusal: Refusal = isNone ? invalidApiKey(c, 'not_active') : answer;
    noteEnded(keyHash);
    return failedCheck(c, 'ended', refusal);
  }
  noteGood(keyHash);
  return answer as Extract<Answer, { ok: true }> | Refusal;
}

/** Asks the account whether the key is good, has the scope, and is within its rate. */
export async function checkedKey(c: Context<AppEnv>, named: NamedKey) {
  const { accountId, presented, scope } = named;
  const checked = await askAccount(c.env, accountId, (account) => account.checkKey(presented, scope));
  return keyAnswer(c, named, checked);
}

/** Whoever presents a good key with this scope. */
export async function callerByKey(
  c: Context<AppEnv>,
  scope: KeyScope,
): Promise<{ ok: true; caller: KeyCaller } | Refusal> {
  const named = await keyOfRequest(c);
  if ('ok' in named) return named;
  const { accountId, presented } = named;
  const answer = await checkedKey(c, { ...named, scope });
  if (!answer.ok) return answer;
  const { keyId, keyName, onlyNumberId } = answer;
  return { ok: true, caller: { kind: 'key', accountId, keyId, keyName, onlyNumberId, presented, scope } };
}

/** Whether the key that a stream was opened with may still do that. */
export const keyStands = (env: Env, { accountId, presented, scope, onlyNumberId }: KeyCaller) =>
  askAccount(env, accountId, (account) => account.keyStands(presented, scope, onlyNumberId));
