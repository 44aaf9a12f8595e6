/** The calendar month (UTC) that a time falls into, as `YYYY-MM`. */
export function periodOf(at: number): string {
  return new Date(at).toISOString().slice(0, 7);
}

/** When the period ends and the count begins anew; ISO 8601, UTC, milliseconds. */
export function resetAt(period: string): string {
  const [year = 0, month = 0] = period.split('-').map(Number);
  return new Date(Date.UTC(year, month, 1)).toISOString();
}

/** While sends are being rejected, `quota.exceeded` is told at most this often. */
const exceededEveryMs = 60_000;

/** Whether a rejected send is to be told: the first of a period, then at most one a minute, also by a clock that was set back. */
export function tellsExceeded(lastToldAt: number | null, now: number): boolean {
  return lastToldAt === null || Math.abs(now - lastToldAt) >= exceededEveryMs;
}

/** Messages a month of each plan: `free`, and those that the operator names in `PLANS`. */
export type Plans = ReadonlyMap<string, number>;

/**
 * Reads the operator's plans: a JSON object of messages a month by name, such as `{"business": 50000}`. Throws when it
 * is anything else: a limit that is misread would be found out by a customer's bill.
 */
export function readPlans(freeMessages: string, plansJson: string | undefined): Plans {
  const plans = new Map([['free', limitOf('FREE_PLAN_MESSAGES', Number(freeMessages))]]);
  const named: unknown = JSON.parse(plansJson || '{}');
  if (typeof named !== 'object' || named === null || Array.isArray(named)) {
    throw new Error('PLANS is no JSON object of messages a month by name.');
  }
  for (const [name, messages] of Object.entries(named)) plans.set(name, limitOf(`PLANS.${name}`, messages));
  return plans;
}

function limitOf(name: string, messages: unknown): number {
  if (typeof messages === 'number' && Number.isSafeInteger(messages) && messages >= 0) return messages;
  throw new Error(`${name} is no number of messages a month.`);
}

/** A plan that the operator no longer names counts as the free one. */
export function messagesAMonth(plans: Plans, plan: string): number {
  return plans.get(plan) ?? plans.get('free') ?? 0;
}
