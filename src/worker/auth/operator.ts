import type { Context, MiddlewareHandler } from 'hono';
import { refuse } from '../../contract/errors.ts';
import { settingsOf } from '../../settings/worker-settings.ts';
import type { AppEnv } from '../app-env.ts';
import { renderRefusal } from '../http/answer/refusal-response.ts';
import { bearerToken, secretEqual } from './secret-equal.ts';

/** Whether the request bears the operator's `BOOTSTRAP_TOKEN`; compared in constant time. */
export const isOperator = (c: Context<AppEnv>): boolean =>
  secretEqual(bearerToken(c.req.header('Authorization')) ?? '', c.env.BOOTSTRAP_TOKEN);

/** Only the operator of the gateway passes: no credential of an account does. */
export const operator: MiddlewareHandler<AppEnv> = async (c, next) =>
  isOperator(c) ? next() : renderRefusal(c, refuse('UNAUTHENTICATED', 'Only the operator may do this.'));

/** Whether the person with this address (in lower case, as it is stored) runs the gateway. */
export const isOperatorsAddress = (env: Env, email: string): boolean =>
  settingsOf(env).OPERATOR_EMAILS.some((address) => address.toLowerCase() === email);
