import { log } from '../durable/log.ts';
import { openDatabase } from './db/database.ts';
import { claimOverdue } from './db/deliveries.ts';
import { queueDeliveries } from './delivery/delivery-queue.ts';

/** Deliveries queued again in one run: what is left over is older in the next one, and comes first there. */
const sweptMax = 500;
/** A delivery this late has lost its queue message, or its queue is that far behind. */
const graceSecondsDefault = 30;

/** What should have been attempted before this time, in milliseconds, is overdue. */
export function overdueBefore(env: Env, now: number): number {
  return now - Number(env.SWEEP_GRACE_SECONDS ?? graceSecondsDefault) * 1000;
}

/** The cron's part of the ladder: what is overdue is queued again, oldest first, so no loss of a queue ends a delivery. */
export async function requeueOverdueDeliveries(env: Env, now: number): Promise<void> {
  const overdue = await claimOverdue(openDatabase(env.DB), overdueBefore(env, now), now, sweptMax);
  if (overdue.length === 0) return;
  await queueDeliveries(env, overdue);
  log('webhook.swept', { deliveries: overdue.length });
}
