import type { Context } from 'hono';
import { type Refusal, refuse } from '../../contract/errors.ts';
import { settingsOf } from '../../settings/worker-settings.ts';
import type { AppEnv } from '../app-env.ts';
import { checkRefusal, failedCheck, noteGood } from './checks/failed-checks.ts';
import { bearerToken, hashSecretToken, secretEqual } from './tokens/secret-token.ts';

/** Tokens of people are no guesses at the operator's, and have limits of their own. */
const personsTokenPattern = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/**
 * Checks what was presented as the operator's `BOOTSTRAP_TOKEN`: `isOperator`, or the refusal. Compares in constant time.
 * Wrong guesses are counted by network address: an address with too many has to wait, and is not checked meanwhile.
 */
export async function operatorCheck(c: Context<AppEnv>): Promise<{ isOperator: boolean; refusal: Refusal }> {
  const none = refuse('UNAUTHENTICATED', 'Only the operator can do this.');
  const token = bearerToken(c.req.header('Authorization'));
  if (token === null) return { isOperator: false, refusal: none };
  const tokenHash = hashSecretToken(token);
  const waits = checkRefusal(c, tokenHash);
  if (waits !== null) return { isOperator: false, refusal: waits };
  if (secretEqual(token, c.env.BOOTSTRAP_TOKEN)) {
    noteGood(tokenHash);
    return { isOperator: true, refusal: none };
  }
  const isGuess = !personsTokenPattern.test(token);
  return { isOperator: false, refusal: isGuess ? await failedCheck(c, 'ended', none) : none };
}

/** Whether the request bears the operator's token; see {@link operatorCheck}. */
export const isOperator = async (c: Context<AppEnv>): Promise<boolean> => (await operatorCheck(c)).isOperator;

/** Whether the person with this address (in lower case, as it is stored) runs the gateway. */
export const isOperatorsAddress = (env: Env, email: string): boolean =>
  settingsOf(env).OPERATOR_EMAILS.some((address) => address.toLowerCase() === email);

/** Whether an invitation makes a user of somebody who is none yet: where `SIGNUP` is `closed`, the operator does. */
export const isOpenToNewUsers = (env: Env): boolean => settingsOf(env).SIGNUP !== 'closed';
