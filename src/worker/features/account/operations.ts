import { type Context, Hono } from 'hono';
import { z } from 'zod';
import type { AppEnv } from '../../app-env.ts';
import { administrator, keyOrAdministrator, onlyNumberOf, personOf } from '../../auth/callers.ts';
import { isOpenToNewUsers } from '../../auth/new-users.ts';
import { accountFigures } from '../../caps.ts';
import { openDatabase } from '../../db/database.ts';
import { renderRefusal } from '../../http/answer/refusal-response.ts';
import { jsonBody } from '../../http/request/body/json-body.ts';
import { notFound } from '../../http/request/path-id.ts';
import { mailedNameSchema } from '../../http/request/person-fields.ts';
import { askAccount } from '../../object-calls.ts';
import { auditOf } from '../audit-log/audit-context.ts';
import type { accountSchema, usageSchema } from './records.ts';
import { renameAccount } from './rows/account-plan.ts';

/** The account that the token is for: its name, its plan, and what it has of what that allows. */
export const accountSelfRoutes = new Hono<AppEnv>();
accountSelfRoutes.use(administrator);

async function answer(c: Context<AppEnv>) {
  const account = await accountFigures(c, personOf(c).accountId);
  if (account === null) return renderRefusal(c, notFound('account'));
  return c.json<z.infer<typeof accountSchema>>({ ...account, openToNewUsers: isOpenToNewUsers(c.env) });
}

accountSelfRoutes.get('/', answer);

/** The name stands in e-mails to people who are invited. */
accountSelfRoutes.patch('/', jsonBody(z.strictObject({ name: mailedNameSchema })), async (c) => {
  await renameAccount(openDatabase(c.env.DB), c.req.valid('json').name, auditOf(c));
  return answer(c);
});

export const usageRoutes = new Hono<AppEnv>();

usageRoutes.get('/', keyOrAdministrator('usage:read'), async (c) => {
  const usage = await askAccount(c.env, c.get('caller').accountId, (account) => account.usage());
  const only = onlyNumberOf(c);
  const byNumber = usage.byNumber.filter(({ numberId }) => only === null || numberId === only);
  return c.json<z.infer<typeof usageSchema>>({ ...usage, byNumber });
});
