import { LRUCache } from 'lru-cache';
import { childTraceparent, traceFields } from '../../../../contract/trace.ts';
import type {
  AttemptOrder,
  AttemptReport,
  DeliveryAttempt,
  Verdict,
  WebhookTarget,
} from '../../../../durable/event-log/deliveries/delivery-order.ts';
import { log } from '../../../../durable/log.ts';
import { openSecret } from '../../../../durable/sealed-secret.ts';
import { settingsOf } from '../../../../settings/worker-settings.ts';
import { webhookUrlProblem, webhookUrlRules } from '../../../outbound-http/webhook-url.ts';
import {
  type AttemptOutcome,
  type CallbackResult,
  postCallback,
  statusMeaning,
  verdict,
} from './callback.ts';
import { type OwnHeaders, openHeaders } from './own-headers.ts';
import { callbackHeaders, type SigningSecrets } from './signature.ts';

/** Opened secrets of this isolate, by how they are sealed: each attempt of a busy webhook would open the same one. */
const openedMax = 1000;
const opened = new LRUCache<string, string>({ max: openedMax });
const openedHeaders = new LRUCache<string, OwnHeaders>({ max: openedMax });

/** One POST: an event on its way to a webhook, or to where a rule calls. */
type Order = Omit<AttemptOrder, 'event'> & { event: AttemptOrder['event'] | 'automation.run' };

/** Makes one attempt, and logs what came of it; the account's log stores it. */
export async function makeAttempt(
  env: Env,
  ladder: readonly number[],
  accountId: string,
  webhook: WebhookTarget,
  order: Order,
): Promise<AttemptReport> {
  const startedAt = Date.now();
  const result = await post(env, webhook, order, startedAt);
  // A test is over after one attempt: somebody is watching, and repeats it at will.
  const decision = verdict(result.outcome, order.attempt, order.event === 'webhook.test' ? [] : ladder);
  const of = order.event === 'automation.run' ? 'automation' : 'delivery';
  const attempt: DeliveryAttempt = {
    at: startedAt,
    statusCode: result.outcome.kind === 'answered' ? result.outcome.statusCode : null,
    durationMs: Date.now() - startedAt,
    error: attemptWords(result.outcome, result.reason, decision, order.attempt, of),
    responseSnippet: result.responseSnippet,
  };
  log('webhook.attempted', {
    deliveryId: order.deliveryId,
    webhookId: webhook.id,
    accountId,
    eventId: order.eventId,
    name: order.event,
    attempt: order.attempt,
    statusCode: attempt.statusCode,
    durationMs: attempt.durationMs,
    verdict: decision.kind,
    ...traceFields(order),
  });
  return { attempt, verdict: decision };
}

async function post(
  env: Env,
  webhook: WebhookTarget,
  { body, event, eventId, deliveryId, attempt, traceparent }: Order,
  at: number,
): Promise<CallbackResult> {
  const problem = webhookUrlProblem(webhook.url, webhookUrlRules(settingsOf(env)));
  if (problem !== null) {
    return {
      outcome: { kind: 'forbidden' },
      responseSnippet: null,
      reason: `The URL is not allowed. ${problem}`,
    };
  }
  const secrets = await signingSecrets(env, webhook, at);
  const headers = callbackHeaders(secrets, { body, event, eventId, deliveryId, attempt, at });
  const trace: Record<string, string> =
    traceparent === undefined ? {} : { traceparent: childTraceparent(traceparent) };
  return postCallback(env, webhook.url, { ...(await ownHeaders(env, webhook)), ...trace, ...headers }, body);
}

/** Those of the receiver's own; none of them is one of the callback's. */
async function ownHeaders(env: Env, { id, sealedHeaders }: WebhookTarget): Promise<OwnHeaders> {
  if (!sealedHeaders) return {};
  const headers = openedHeaders.get(sealedHeaders) ?? (await openHeaders(env, id, sealedHeaders));
  openedHeaders.set(sealedHeaders, headers);
  return headers;
}

async function signingSecrets(env: Env, webhook: WebhookTarget, now: number): Promise<SigningSecrets> {
  const { id, sealedSecret, previousSealedSecret, previousSecretUntil } = webhook;
  const open = async (sealed: string) => {
    const key = `${id} ${sealed}`;
    const secret = opened.get(key) ?? (await openSecret(env, id, sealed));
    opened.set(key, secret);
    return secret;
  };
  const rotating = previousSealedSecret !== null && (previousSecretUntil ?? 0) > now;
  return {
    current: await open(sealedSecret),
    previous: rotating ? await open(previousSealedSecret) : null,
  };
}

/** What can be done about a failure, by what has called: only a delivery can be made again. */
const remedies = {
  delivery: {
    redirected: 'Redeliver it when the webhook has the right URL.',
    refused: 'Redeliver it when the receiver is fixed.',
  },
  automation: {
    redirected: 'Give the automation the right URL.',
    refused: 'The automation calls again when it runs next.',
  },
} as const;

/**
 * The note on an attempt in the log of deliveries, or of runs, for a person: why it failed and what happens next; null after a
 * success.
 * @param reason why there was no response, as a sentence; null if there was one
 * @param attempt 1 for the first
 * @param of what made the call
 */
export function attemptWords(
  outcome: AttemptOutcome,
  reason: string | null,
  decision: Verdict,
  attempt: number,
  of: keyof typeof remedies,
): string | null {
  if (decision.kind === 'delivered') return null;
  const { redirected, refused } = remedies[of];
  const status = outcome.kind === 'answered' ? outcome.statusCode : null;
  if (status !== null && status >= 300 && status < 400) {
    return `${status} is final: redirects are not followed. ${redirected}`;
  }
  if (status !== null && status >= 400 && status < 500) {
    return `${status} is final: 4xx answers are not retried. ${refused}`;
  }
  const what = reason ?? `The receiver answered ${status}${statusMeaning(status ?? 0)}.`;
  if (outcome.kind === 'forbidden') return what;
  return decision.kind === 'retry' ? what : `${what} This was attempt ${attempt}, the last one. ${refused}`;
}

/** Callbacks to one host that one isolate has under way at a time, whatever accounts they are of. */
const underWayMax = 300;
const underWay = new Map<string, number>();

/**
 * Makes a callback unless too many to its host are in progress: then null, and it is made again later. It limits one isolate;
 * the platform runs many, and the limits of each account hold for all of them.
 */
export async function withinHostBound<Result>(
  url: string,
  call: () => Promise<Result>,
): Promise<Result | null> {
  const host = URL.canParse(url) ? new URL(url).host : url;
  const before = underWay.get(host) ?? 0;
  if (before >= underWayMax) return null;
  underWay.set(host, before + 1);
  try {
    return await call();
  } finally {
    const left = (underWay.get(host) ?? 1) - 1;
    if (left > 0) underWay.set(host, left);
    else underWay.delete(host);
  }
}
