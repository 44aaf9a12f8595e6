import type { MiddlewareHandler } from 'hono';
import { settingsOf } from '../../settings/worker-settings.ts';
import type { AppEnv } from '../app-env.ts';

/** A variable that is wrong stops everything, and not the one thing that reads it: it throws `SettingsProblem`. */
export const checkedSettings: MiddlewareHandler<AppEnv> = (c, next) => {
  settingsOf(c.env);
  return next();
};
