import { log, logFault } from '../durable/log.ts';
import { queueAlerts } from './alerts/alerts-consumer.ts';
import { unannouncedAlerts } from './db/alerts.ts';
import { openDatabase } from './db/database.ts';
import { deliveryKeptMs } from './db/deliveries.ts';
import { claimOverdue, deleteOldDeliveries, releaseHeld, releasingWebhooks } from './db/delivery-sweeps.ts';
import { faultMessage } from './db/fault-message.ts';
import { forgetExpired } from './db/mailed-tokens.ts';
import { queueDeliveries } from './delivery/lanes.ts';

/** Deliveries queued again in one run: what is left over is older in the next one, and comes first there. */
const sweptMax = 500;
/** A delivery this late has lost its queue message, unless its queue is that far behind. */
const graceSecondsDefault = 30;
/** This late it is queued again however far behind its queue is. */
const lateMax = 600_000;
/** Held deliveries of one webhook that go out at a time, and webhooks that are looked after in one run. */
const releasedMax = 1000;
const releasingMax = 5;
const alertsMax = 100;
/** Outdated deliveries are deleted a day late, since most packs are used again until then; and so many in one run. */
const forgottenMs = deliveryKeptMs + 24 * 60 * 60 * 1000;
const forgottenMax = 5000;

/** The cron's work, each part on its own: what fails is tried again by the next run. */
export async function sweep(env: Env, now: number): Promise<void> {
  const parts: Record<string, (env: Env, now: number) => Promise<void>> = {
    overdue: requeueOverdueDeliveries,
    held: releaseAllHeld,
    alerts: requeueLostAlerts,
    retention: forgetOldDeliveries,
    identity: forgetOldIdentity,
  };
  for (const [part, run] of Object.entries(parts)) {
    try {
      await run(env, now);
    } catch (error) {
      logFault('sweep.failed', faultMessage(error).error, { part });
    }
  }
}

/**
 * The cron's part of the ladder: what is overdue is queued again, oldest first, so no loss of a queue ends a delivery.
 * What was due after the oldest message that a lane holds may be in that lane itself: more messages would only make a
 * lane later that is late already.
 */
export async function requeueOverdueDeliveries(env: Env, now: number): Promise<void> {
  const lanes = [env.WEBHOOK_DELIVERIES, env.WEBHOOK_DELIVERIES_SLOW];
  const oldestAt = Math.min(...(await Promise.all(lanes.map(oldestQueuedAt))));
  const dueBefore = Math.min(now, Math.max(oldestAt, now - lateMax)) - graceMs(env);
  const overdue = await claimOverdue(openDatabase(env.DB), dueBefore, now, sweptMax);
  if (overdue.length === 0) return;
  // That so many were lost says nothing about their receivers, but they are many at once.
  await queueDeliveries(env, 'slow', overdue);
  log('webhook.swept', { deliveries: overdue.length });
}

/** When the oldest message of this queue was sent, in Unix milliseconds; `Infinity`: it has none, or does not tell. */
async function oldestQueuedAt(queue: Queue): Promise<number> {
  try {
    const { backlogCount, oldestMessageTimestamp } = await queue.metrics();
    return (backlogCount > 0 && oldestMessageTimestamp?.getTime()) || Number.POSITIVE_INFINITY;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

const graceMs = (env: Env) => Number(env.SWEEP_GRACE_SECONDS ?? graceSecondsDefault) * 1000;

/** Sends the oldest of what was held for a webhook that is on again on its way; the cron brings the rest. */
export async function releaseDeliveries(env: Env, webhookId: string, now: number): Promise<void> {
  const released = await releaseHeld(openDatabase(env.DB), webhookId, now, releasedMax);
  if (released.length === 0) return;
  await queueDeliveries(env, 'slow', released);
  log('webhook.released', { webhookId, deliveries: released.length });
}

async function releaseAllHeld(env: Env, now: number): Promise<void> {
  for (const id of await releasingWebhooks(openDatabase(env.DB), releasingMax)) {
    await releaseDeliveries(env, id, now);
  }
}

async function requeueLostAlerts(env: Env, now: number): Promise<void> {
  await queueAlerts(env, await unannouncedAlerts(openDatabase(env.DB), now - graceMs(env), alertsMax));
}

/** Sessions, invitations and mailed tokens go when they are over. */
const forgetOldIdentity = (env: Env, now: number) => forgetExpired(openDatabase(env.DB), now);

/** What has a row of its own, and the packs that no later one of the same webhook has taken the place of. */
async function forgetOldDeliveries(env: Env, now: number): Promise<void> {
  const forgotten = await deleteOldDeliveries(openDatabase(env.DB), now - forgottenMs, forgottenMax);
  if (forgotten > 0) log('webhook.forgotten', { rows: forgotten });
}
