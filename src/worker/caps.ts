import type { Context } from 'hono';
import { type Refusal, refuse } from '../contract/errors.ts';
import { type CapName, planOf, readPlans } from '../settings/plans.ts';
import { settingsOf } from '../settings/worker-settings.ts';
import type { AppEnv } from './app-env.ts';
import { openDatabase } from './db/database.ts';
import { findAccount, findPlan, findRoom } from './features/account/rows/caps.ts';
import { notFound } from './http/request/shared-fields.ts';

const things: Record<CapName, string> = {
  numbers: 'numbers',
  webhooks: 'webhooks',
  keys: 'API keys',
  members: 'members, open invitations included',
  pairings: 'pairings at once',
};

/** The account has all that its plan allows: it can delete one, or be put on another plan. */
function capReached(cap: CapName, most: number, planName: string): Refusal {
  const message = `The plan ${planName} allows ${most} ${things[cap]}.`;
  return refuse('CONFLICT', message, { details: [{ cap, limit: most, message }] });
}

const plansOf = (c: Context<AppEnv>) => {
  const { FREE_PLAN_MESSAGES, PLANS } = settingsOf(c.env);
  return readPlans(FREE_PLAN_MESSAGES, PLANS);
};

/** Room for one more, and how many there may be; or the refusal that names the cap. */
export async function roomFor(
  c: Context<AppEnv>,
  cap: Exclude<CapName, 'pairings'>,
): Promise<{ ok: true; most: number | null; refusal: Refusal } | Refusal> {
  const { accountId } = c.get('caller');
  const room = await findRoom(openDatabase(c.env.DB), plansOf(c), accountId, cap);
  if (room === null) return notFound('account');
  const { planName, most, used } = room;
  const refusal = capReached(cap, most ?? 0, planName);
  return most !== null && used >= most ? refusal : { ok: true, most, refusal };
}

/** How many pairings may be under way at once, and the refusal of one more. */
export async function pairingRoom(c: Context<AppEnv>): Promise<{ most: number | null; refusal: Refusal }> {
  const { accountId } = c.get('caller');
  const plan = await findPlan(openDatabase(c.env.DB), plansOf(c), accountId);
  const most = plan === null ? 0 : plan.caps.pairings;
  return { most, refusal: capReached('pairings', most ?? 0, plan?.name ?? 'free') };
}

/** What an account is, what its plan allows, and how much of it there is; null when there is no such account. */
export async function accountFigures(c: Context<AppEnv>, accountId: string) {
  const account = await findAccount(openDatabase(c.env.DB), accountId);
  if (account === null) return null;
  const { name, plan, createdAt, used } = account;
  const { messagesAMonth, storageBytes, caps } = planOf(plansOf(c), plan);
  return {
    accountId,
    name,
    plan,
    messagesAMonth,
    storageBytes,
    caps,
    used,
    createdAt: new Date(createdAt).toISOString(),
  };
}
