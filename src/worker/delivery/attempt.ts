import type { DeliveryAttempt } from '../../database/schema.ts';
import { log } from '../../durable/log.ts';
import { batch, openDatabase } from '../db/database.ts';
import { type DeliveryRow, recordAttempt } from '../db/deliveries.ts';
import { lastDeliveryMs, noteDelivered, noteFailedAttempt, type WebhookRow } from '../db/webhooks.ts';
import { webhookUrlProblem } from '../webhook-url.ts';
import { type CallbackResult, postCallback } from './callback.ts';
import { openSecret } from './sealed-secret.ts';
import { callbackHeaders } from './signature.ts';
import { type Verdict, verdict } from './verdict.ts';

/** Makes the next attempt at a delivery, and stores and logs what came of it. Throws only when it could not be stored. */
export async function attemptDelivery(
  env: Env,
  ladder: readonly number[],
  delivery: DeliveryRow,
  webhook: WebhookRow,
): Promise<Verdict> {
  const number = delivery.attempts.length + 1;
  const startedAt = Date.now();
  const result = await post(env, delivery, webhook, number, startedAt);
  const finishedAt = Date.now();
  const decision = verdict(result.outcome, number, ladder);
  const attempt: DeliveryAttempt = {
    at: startedAt,
    statusCode: result.outcome.kind === 'answered' ? result.outcome.statusCode : null,
    durationMs: finishedAt - startedAt,
    error: result.error,
    responseSnippet: result.responseSnippet,
  };
  await record(env, delivery, webhook, attempt, decision, finishedAt);
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
  return decision;
}

async function post(
  env: Env,
  delivery: DeliveryRow,
  webhook: WebhookRow,
  attempt: number,
  at: number,
): Promise<CallbackResult> {
  const problem = webhookUrlProblem(webhook.url, env.WEBHOOK_TARGETS === 'loopback');
  if (problem !== null) {
    return {
      outcome: { kind: 'forbidden' },
      responseSnippet: null,
      error: `The URL is not allowed. ${problem}`,
    };
  }
  const secret = await openSecret(env.WEBHOOK_SEALING_KEY, webhook.id, webhook.sealedSecret);
  const { body, event, eventId, deliveryId } = delivery;
  return postCallback(
    webhook.url,
    callbackHeaders(secret, { body, event, eventId, deliveryId, attempt, at }),
    body,
  );
}

/** One transaction: the attempt on the delivery's row, and the webhook's row only where it changes. */
async function record(
  env: Env,
  delivery: DeliveryRow,
  webhook: WebhookRow,
  attempt: DeliveryAttempt,
  decision: Verdict,
  now: number,
): Promise<void> {
  const db = openDatabase(env.DB);
  const after =
    decision.kind === 'retry'
      ? { status: 'pending' as const, nextAttemptAt: now + decision.delaySeconds * 1000 }
      : { status: decision.kind, nextAttemptAt: null };
  const recorded = recordAttempt(db, delivery, attempt, after);
  if (decision.kind !== 'delivered') {
    await batch(db, [noteFailedAttempt(db, delivery, delivery.attempts.length), recorded]);
    return;
  }
  const stale = webhook.lastDeliveryAt === null || webhook.lastDeliveryAt < now - lastDeliveryMs;
  await batch(db, [
    recorded,
    ...(stale || webhook.failureStreak !== 0 ? [noteDelivered(db, webhook.id, now)] : []),
  ]);
}
