import { LRUCache } from 'lru-cache';
import type { DeliveryAttempt } from '../../database/schema.ts';
import { log, logFault } from '../../durable/log.ts';
import { derivedUuid } from '../../durable/new-ids.ts';
import { queueAlerts } from '../alerts/alerts-consumer.ts';
import type { AlertKey } from '../db/alerts.ts';
import { noteFailedAttempt } from '../db/circuit.ts';
import { batch, type Database, openDatabase } from '../db/database.ts';
import { type DeliveryRow, extendLease, recordAttempt } from '../db/deliveries.ts';
import { holdPending } from '../db/delivery-sweeps.ts';
import { faultMessage } from '../db/fault-message.ts';
import { heldAtOnceMax, noteDelivered, noteSlow, type WebhookRow } from '../db/webhooks.ts';
import { webhookUrlProblem, webhookUrlRules } from '../webhook-url.ts';
import { attemptWords } from './attempt-words.ts';
import { answerMsMax, type CallbackResult, postCallback } from './callback.ts';
import { inFlight } from './in-flight.ts';
import { openSecret } from './sealed-secret.ts';
import { callbackHeaders, type SigningSecrets } from './signature.ts';
import { type Verdict, verdict } from './verdict.ts';

/** A receiver that has not answered after so long is slow, and its next deliveries take the slow lane for a while. */
const slowAfterMs = 1000;
const slowForMs = 60_000;
/** An attempt and the storing of its outcome are over after this time; only then may the sweep think it lost. */
export const attemptLeaseMs = answerMsMax + 10_000;

/** Opened secrets of this isolate, by how they are sealed: each attempt of a busy webhook would open the same one. */
const openedMax = 1000;
const opened = new LRUCache<string, string>({ max: openedMax });

/** What an attempt came to. */
export interface AttemptResult {
  verdict: Verdict;
  attempt: DeliveryAttempt;
}

/** Makes the next attempt at a delivery, and stores and logs what came of it. Throws only when it could not be stored. */
export async function attemptDelivery(
  env: Env,
  ladder: readonly number[],
  delivery: DeliveryRow,
  webhook: WebhookRow,
): Promise<AttemptResult> {
  const result = await makeAttempt(env, ladder, delivery, webhook);
  await recordAttemptResult(env, delivery, result);
  return result;
}

/** Makes the next attempt at a delivery and logs what came of it; storing that is left to the caller. */
export async function makeAttempt(
  env: Env,
  ladder: readonly number[],
  delivery: DeliveryRow,
  webhook: WebhookRow,
): Promise<AttemptResult> {
  const number = delivery.attempts.length + 1;
  const startedAt = Date.now();
  let noted: Promise<void> | null = null;
  const slowTimer = setTimeout(() => {
    noted = noteUnanswered(openDatabase(env.DB), delivery, webhook.id, startedAt);
  }, slowAfterMs);
  try {
    const result = await post(env, delivery, webhook, number, startedAt);
    clearTimeout(slowTimer);
    await noted;
    // A test is over after one attempt: somebody is watching, and repeats it at will.
    const decision = verdict(result.outcome, number, delivery.event === 'webhook.test' ? [] : ladder);
    const attempt: DeliveryAttempt = {
      at: startedAt,
      statusCode: result.outcome.kind === 'answered' ? result.outcome.statusCode : null,
      durationMs: Date.now() - startedAt,
      error: attemptWords(result.outcome, result.reason, decision, number),
      responseSnippet: result.responseSnippet,
    };
    log('webhook.attempted', {
      deliveryId: delivery.deliveryId,
      webhookId: webhook.id,
      accountId: delivery.accountId,
      eventId: delivery.eventId,
      name: delivery.event,
      attempt: number,
      statusCode: attempt.statusCode,
      durationMs: attempt.durationMs,
      verdict: decision.kind,
    });
    return { verdict: decision, attempt };
  } finally {
    clearTimeout(slowTimer);
  }
}

/** Told to this isolate at once, and to the others by the webhook's row; the delivery is kept from the sweep. */
async function noteUnanswered(
  db: Database,
  delivery: DeliveryRow,
  webhookId: string,
  startedAt: number,
): Promise<void> {
  const now = Date.now();
  const until = now + slowForMs;
  inFlight.markSlow(webhookId, until);
  try {
    await batch(db, [
      noteSlow(db, webhookId, now, until),
      extendLease(db, delivery, startedAt + attemptLeaseMs),
    ]);
  } catch (error) {
    // It costs others some time, and at worst the receiver a repetition: no reason to break the attempt off.
    logFault('webhook.slowness_not_noted', faultMessage(error).error, { webhookId });
  }
}

async function post(
  env: Env,
  delivery: DeliveryRow,
  webhook: WebhookRow,
  attempt: number,
  at: number,
): Promise<CallbackResult> {
  const problem = webhookUrlProblem(webhook.url, webhookUrlRules(env));
  if (problem !== null) {
    return {
      outcome: { kind: 'forbidden' },
      responseSnippet: null,
      reason: `The URL is not allowed. ${problem}`,
    };
  }
  const { body, event, eventId, deliveryId } = delivery;
  const headers = callbackHeaders(await signingSecrets(env, webhook, at), {
    body,
    event,
    eventId,
    deliveryId,
    attempt,
    at,
  });
  return postCallback(webhook.url, headers, body);
}

async function signingSecrets(env: Env, webhook: WebhookRow, now: number): Promise<SigningSecrets> {
  const { id, sealedSecret, previousSealedSecret, previousSecretUntil } = webhook;
  const open = async (sealed: string) => {
    const key = `${id} ${sealed}`;
    const secret = opened.get(key) ?? (await openSecret(env.WEBHOOK_SEALING_KEY, id, sealed));
    opened.set(key, secret);
    return secret;
  };
  const rotating = previousSealedSecret !== null && (previousSecretUntil ?? 0) > now;
  return {
    current: await open(sealedSecret),
    previous: rotating ? await open(previousSealedSecret) : null,
  };
}

/** One transaction: the attempt on the delivery's row, and the webhook's row only where it changes. */
export async function recordAttemptResult(
  env: Env,
  delivery: DeliveryRow,
  { attempt, verdict: decision }: AttemptResult,
): Promise<void> {
  const db = openDatabase(env.DB);
  const now = attempt.at + attempt.durationMs;
  const recorded = recordAttempt(
    db,
    delivery,
    attempt,
    decision.kind === 'retry'
      ? { status: 'pending', nextAttemptAt: now + decision.delaySeconds * 1000 }
      : { status: decision.kind },
  );
  const { webhookId, deliveryId, accountId } = delivery;
  if (decision.kind === 'delivered') {
    await batch(db, [recorded, noteDelivered(db, webhookId, now)]);
    return;
  }
  // A test that fails says nothing about the traffic.
  if (delivery.event === 'webhook.test') {
    await batch(db, [recorded]);
    return;
  }
  const attempts = delivery.attempts.length;
  const alertId = derivedUuid(attempt.at, deliveryId, String(attempts));
  const results = await batch(db, [
    ...noteFailedAttempt(db, delivery, attempts, alertId, attempt.error ?? '', now),
    recorded,
  ]);
  const [, raised, opened] = results as [unknown, AlertKey[], { id: string }[]];
  if (opened.length > 0) await settleOpened(db, accountId, webhookId);
  if (raised.length > 0) await announce(env, raised);
}

/** What is on its way to a webhook that was just switched off is held now, and what this misses when it comes due. */
async function settleOpened(db: Database, accountId: string, webhookId: string): Promise<void> {
  log('webhook.circuit_opened', { webhookId, accountId });
  try {
    await batch(db, [holdPending(db, webhookId, heldAtOnceMax)]);
  } catch (error) {
    logFault('webhook.not_held', faultMessage(error).error, { webhookId });
  }
}

async function announce(env: Env, raised: readonly AlertKey[]): Promise<void> {
  try {
    await queueAlerts(env, raised);
  } catch (error) {
    logFault('alert.not_queued', error, { alerts: raised.length });
  }
}
