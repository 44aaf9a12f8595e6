import { logFault } from '../../durable/log.ts';
import { batch, type Database, openDatabase } from '../db/database.ts';
import { type DeliveryRow, deleteOrphan, holdDeliveries, loadDeliveries, moveDue } from '../db/deliveries.ts';
import { faultMessage } from '../db/fault-message.ts';
import { retryTransient } from '../db/transient-errors.ts';
import { attemptDelivery, attemptLeaseMs } from './attempt.ts';
import { inFlight } from './in-flight.ts';
import { type DeliveryQueueMessage, type Lane, laneOf, queueDeliveries } from './lanes.ts';
import { type DueDelivery, sequenceKey, sequences } from './sequences.ts';
import { parseLadder } from './verdict.ts';

/** A message this early is taken as on time: clocks and queues are not exact. */
const earlyMs = 1000;
/** A batch waits this long for its attempts; then they go on behind it, and the next batch may begin. */
const handBackMs = 100;
/** How long a delivery waits behind an earlier one of its sequence before it goes to the end of the slow lane. */
const overtakeMs = 2000;
/** When a slow webhook has all the attempts under way that it may have, others of it come back after about this time. */
const deferSeconds = 5;

/** Consumer of the fast lane: see {@link consumeDeliveries}. */
export const consumeFastLane = (
  queueBatch: MessageBatch<DeliveryQueueMessage>,
  env: Env,
  context: ExecutionContext,
) => consumeDeliveries('fast', queueBatch, env, context);

/** Consumer of the slow lane: see {@link consumeDeliveries}. */
export const consumeSlowLane = (
  queueBatch: MessageBatch<DeliveryQueueMessage>,
  env: Env,
  context: ExecutionContext,
) => consumeDeliveries('slow', queueBatch, env, context);

/**
 * One message, one attempt, one verdict. The row decides, not the message: a repeat of a delivery that is over, held,
 * or not due yet makes no request. A batch never waits for a receiver that hangs: it is handed back, and its attempts
 * go on behind it. From then on the rows alone carry them, and what a crash takes with it the sweep finds overdue.
 */
async function consumeDeliveries(
  lane: Lane,
  queueBatch: MessageBatch<DeliveryQueueMessage>,
  env: Env,
  context: ExecutionContext,
): Promise<void> {
  const ladder = parseLadder(env.WEBHOOK_RETRY_SECONDS);
  const due = await sortOut(
    env,
    lane,
    queueBatch.messages.map((message) => message.body),
  );
  const work = Promise.all(sequences(due).map((sequence) => runSequence(env, ladder, sequence)));
  context.waitUntil(work);
  let done = false;
  const finished = work.then(() => {
    done = true;
  });
  await Promise.race([finished, scheduler.wait(handBackMs)]);
  while (!done && inFlight.isFull) await Promise.race([finished, scheduler.wait(handBackMs)]);
}

/** Which of the deliveries are to be attempted here and now; everything else is sent where it belongs. */
async function sortOut(env: Env, lane: Lane, keys: readonly DeliveryQueueMessage[]): Promise<DueDelivery[]> {
  const db = openDatabase(env.DB);
  const rows = await loadDeliveries(db, keys);
  const known = new Map(rows.map((row) => [row.delivery.deliveryId, row]));
  const orphans = keys.filter(({ deliveryId }) => !known.has(deliveryId));
  const now = Date.now();
  const off: DeliveryRow[] = [];
  const aside: DeliveryRow[] = [];
  const due: DueDelivery[] = [];
  for (const { delivery, webhook } of known.values()) {
    const { deliveryId, status, nextAttemptAt } = delivery;
    if (status !== 'pending' || inFlight.has(deliveryId)) continue;
    if (!webhook.enabled) {
      off.push(delivery);
      continue;
    }
    // Whoever put it off has also sent the message that comes in time.
    if ((nextAttemptAt ?? 0) - now > earlyMs) continue;
    const slow = laneOf(webhook, now) === 'slow' || inFlight.isSlow(webhook.id, now);
    const leave = slow && lane === 'fast' ? null : inFlight.enter(webhook.id, deliveryId, slow);
    if (leave === null) aside.push(delivery);
    else due.push({ delivery, webhook, leave });
  }
  try {
    await batch(db, [...orphans.map((key) => deleteOrphan(db, key)), ...holdDeliveries(db, off)]);
    if (lane === 'fast') {
      await queueDeliveries(env, 'slow', aside);
      return due;
    }
    await defer(env, aside, now + earlyMs);
    return await claim(db, due, now);
  } catch (error) {
    for (const { leave } of due) leave();
    throw error;
  }
}

/** In the slow lane several messages about one delivery are nothing unusual, and only one of them may attempt it. */
async function claim(db: Database, due: readonly DueDelivery[], now: number): Promise<DueDelivery[]> {
  const deliveries = due.map(({ delivery }) => delivery);
  const claimed = await retryTransient(() => moveDue(db, deliveries, now + earlyMs, now + attemptLeaseMs));
  return due.filter(({ delivery, leave }) => {
    const isOurs = claimed.has(delivery.deliveryId);
    if (!isOurs) leave();
    return isOurs;
  });
}

/** Lets deliveries that are due before `dueBefore` come back later, each by one message. */
async function defer(env: Env, deliveries: readonly DeliveryRow[], dueBefore: number): Promise<void> {
  if (deliveries.length === 0) return;
  const delaySeconds = deferSeconds + Math.floor(Math.random() * deferSeconds);
  const dueAt = Date.now() + delaySeconds * 1000;
  const moved = await retryTransient(() => moveDue(openDatabase(env.DB), deliveries, dueBefore, dueAt));
  const ours = deliveries.filter(({ deliveryId }) => moved.has(deliveryId));
  await queueDeliveries(env, 'slow', ours, delaySeconds);
}

/**
 * Attempts deliveries one after the other, once no earlier batch has one of the sequence under way. When the receiver
 * turns out to be slow, the rest goes to the end of the slow lane.
 */
async function runSequence(
  env: Env,
  ladder: readonly number[],
  sequence: readonly DueDelivery[],
): Promise<void> {
  const [first] = sequence;
  if (first === undefined) return;
  const waiting = [...sequence];
  const place = inFlight.lineUp(sequenceKey(first.delivery), first.delivery.eventId);
  try {
    const isOurTurn = await untilTurn(place);
    while (isOurTurn) {
      const due = waiting.shift();
      if (due === undefined) return;
      await runOne(env, ladder, due).finally(due.leave);
      if (inFlight.isSlow(due.webhook.id, Date.now())) break;
    }
    const rest = waiting.map(({ delivery }) => delivery);
    await defer(env, rest, Date.now() + attemptLeaseMs);
  } catch (error) {
    logFault('webhook.not_deferred', faultMessage(error).error, { deliveries: waiting.length });
  } finally {
    place.leave();
    for (const { leave } of waiting) leave();
  }
}

/** Waits for the turn of a sequence; false when that takes too long. */
async function untilTurn(place: { begin(): boolean }): Promise<boolean> {
  const deadline = Date.now() + overtakeMs;
  while (!place.begin()) {
    if (Date.now() > deadline) return false;
    await scheduler.wait(20);
  }
  return true;
}

async function runOne(
  env: Env,
  ladder: readonly number[],
  { delivery, webhook }: DueDelivery,
): Promise<void> {
  const ids = { deliveryId: delivery.deliveryId, webhookId: webhook.id };
  try {
    const { verdict } = await attemptDelivery(env, ladder, delivery, webhook);
    if (verdict.kind === 'retry') await queueDeliveries(env, 'slow', [delivery], verdict.delaySeconds);
  } catch (error) {
    // Its row says when it is due, and the sweep reads that.
    logFault('webhook.left_to_the_sweep', faultMessage(error).error, ids);
  }
}
