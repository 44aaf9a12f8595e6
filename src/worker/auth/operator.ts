import type { Context } from 'hono';
import { settingsOf } from '../../settings/worker-settings.ts';
import type { AppEnv } from '../app-env.ts';
import { bearerToken, secretEqual } from './secret-equal.ts';

/** Whether the request bears the operator's `BOOTSTRAP_TOKEN`; compared in constant time. */
export const isOperator = (c: Context<AppEnv>): boolean =>
  secretEqual(bearerToken(c.req.header('Authorization')) ?? '', c.env.BOOTSTRAP_TOKEN);

/** Whether the person with this address (in lower case, as it is stored) runs the gateway. */
export const isOperatorsAddress = (env: Env, email: string): boolean =>
  settingsOf(env).OPERATOR_EMAILS.some((address) => address.toLowerCase() === email);
