import { Hono } from 'hono';
import type { z } from 'zod';
import type { AppEnv } from '../../app-env.ts';
import { keyOrAdministrator, onlyNumberOf } from '../../auth/callers.ts';
import { askAccount } from '../../object-calls.ts';
import type { usageSchema } from '../../openapi/schemas/people/account.ts';

export const usageRoutes = new Hono<AppEnv>();

usageRoutes.get('/', keyOrAdministrator('usage:read'), async (c) => {
  const usage = await askAccount(c.env, c.get('caller').accountId, (account) => account.usage());
  const only = onlyNumberOf(c);
  const byNumber = usage.byNumber.filter(({ numberId }) => only === null || numberId === only);
  return c.json<z.infer<typeof usageSchema>>({ ...usage, byNumber });
});
