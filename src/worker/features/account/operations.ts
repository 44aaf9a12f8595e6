import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { planOf, readPlans } from '../../../settings/plans.ts';
import { settingsOf } from '../../../settings/worker-settings.ts';
import type { AppEnv } from '../../app-env.ts';
import { administrator, keyOrAdministrator, onlyNumberOf, operator, personOf } from '../../auth/callers.ts';
import { isOpenToNewUsers } from '../../auth/operator.ts';
import { accountFigures } from '../../caps.ts';
import { configurationChanged } from '../../configuration-changed.ts';
import { openDatabase } from '../../db/database.ts';
import { renderRefusal } from '../../http/answer/refusal-response.ts';
import { jsonBody } from '../../http/request/body/json-body.ts';
import { notFound, uuidPathId } from '../../http/request/path-id.ts';
import { mailedNameSchema } from '../../http/request/shared-fields.ts';
import { invalidField } from '../../http/request/validation-details.ts';
import { askAccount } from '../../object-calls.ts';
import { auditOf, auditSource } from '../audit-log/audit-context.ts';
import type { accountPlanSchema, accountSchema, usageSchema } from './records.ts';
import { renameAccount, updatePlan } from './rows/account-plan.ts';

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

/** What the operator of the gateway sets for an account. */
export const operatorRoutes = new Hono<AppEnv>();

const planSchema = z.strictObject({ plan: z.string().min(1).max(100) });

/** The quota is the new plan's from the next send on; what is used of this month stays used. */
operatorRoutes.put(
  '/accounts/:id/plan',
  operator,
  uuidPathId('id', 'account'),
  jsonBody(planSchema),
  async (c) => {
    const { plan } = c.req.valid('json');
    const accountId = c.req.param('id');
    c.get('log').accountId = accountId;
    const settings = settingsOf(c.env);
    const plans = readPlans(settings.FREE_PLAN_MESSAGES, settings.PLANS);
    if (!plans.has(plan))
      return renderRefusal(c, invalidField('plan', `One of: ${[...plans.keys()].join(', ')}.`));
    const account = await updatePlan(openDatabase(c.env.DB), accountId, plan, auditSource(c));
    if (account === null) return renderRefusal(c, notFound('account'));
    await configurationChanged(c.env, accountId);
    return c.json<z.infer<typeof accountPlanSchema>>({
      accountId,
      name: account.name,
      plan,
      ...planOf(plans, plan),
    });
  },
);
