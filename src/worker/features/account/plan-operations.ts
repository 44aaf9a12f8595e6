import { Hono } from 'hono';
import { z } from 'zod';
import { planOf, readPlans } from '../../../settings/plans.ts';
import { settingsOf } from '../../../settings/worker-settings.ts';
import type { AppEnv } from '../../app-env.ts';
import { operator } from '../../auth/callers.ts';
import { configurationChanged } from '../../configuration-changed.ts';
import { openDatabase } from '../../db/database.ts';
import { renderRefusal } from '../../http/answer/refusal-response.ts';
import { jsonBody } from '../../http/request/body/json-body.ts';
import { notFound, uuidPathId } from '../../http/request/path-id.ts';
import { invalidField } from '../../http/request/validation-details.ts';
import { auditSource } from '../audit-log/audit-context.ts';
import type { accountPlanSchema } from './records.ts';
import { updatePlan } from './rows/account-plan.ts';

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
