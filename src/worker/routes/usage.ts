import { Hono } from 'hono';
import type { AppEnv } from '../app-env.ts';
import { reader } from '../auth/callers.ts';
import { askAccount } from '../object-calls.ts';

export const usageRoutes = new Hono<AppEnv>();

usageRoutes.get('/', reader, async (c) =>
  c.json(await askAccount(c.env, c.get('caller').accountId, (account) => account.usage())),
);
