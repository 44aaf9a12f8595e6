import type { Context } from 'hono';
import { settingsOf } from '../../settings/worker-settings.ts';
import type { AppEnv } from '../app-env.ts';

/** Where links in e-mails lead, without a slash at the end: `PUBLIC_URL`, else where the request came to. */
export const publicUrl = (c: Context<AppEnv>): string =>
  (settingsOf(c.env).PUBLIC_URL ?? new URL(c.req.url).origin).replace(/\/$/, '');
