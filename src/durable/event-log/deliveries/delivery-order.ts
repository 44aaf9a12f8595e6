import type { EventName } from '../../../contract/events.ts';

/** A receiver has this long in all: for the connection, the request, the headers and the body of its answer. */
export const answerMsMax = 10_000;
/** An attempt is over after this time, whatever became of it; only then may it be repeated. */
export const leaseMs = answerMsMax + 5_000;
/** How many connections may wait for their response in one invocation of the sender. */
export const attemptsACallMax = 6;

/** Where a webhook's callbacks go, and what signs them. The secrets are sealed; only the sender opens them. */
export interface WebhookTarget {
  id: string;
  url: string;
  sealedSecret: string;
  /** The secret before this one, which signs too until `previousSecretUntil`. */
  previousSealedSecret: string | null;
  previousSecretUntil: number | null;
  /** Headers of the receiver's own, sealed too. Null, or left out: it has none. */
  sealedHeaders?: string | null;
}

/** What the sender needs of a webhook, and no more. */
export const targetOf = ({
  id,
  url,
  sealedSecret,
  previousSealedSecret,
  previousSecretUntil,
  sealedHeaders = null,
}: WebhookTarget): WebhookTarget => ({
  id,
  url,
  sealedSecret,
  previousSealedSecret,
  previousSecretUntil,
  sealedHeaders,
});

/** One POST that is to be made. */
export interface AttemptOrder {
  deliveryId: string;
  eventId: string;
  event: EventName;
  /** The exact characters of the callback's body. */
  body: string;
  /** 1 for the first. */
  attempt: number;
  /** The trace that the event's message belongs to, where it has one. */
  traceparent?: string;
}

/** What the sender is to do in one call: attempts at one webhook, all at the same time. */
export interface DeliveryOrder {
  accountId: string;
  webhook: WebhookTarget;
  attempts: readonly AttemptOrder[];
}

/** One POST, as the delivery log shows it. */
export interface DeliveryAttempt {
  at: number;
  /** Null when there was no answer. */
  statusCode: number | null;
  durationMs: number;
  /** Why it failed and what follows from that, for a person; null after a success. */
  error: string | null;
  responseSnippet: string | null;
}

/** What an attempt means for its delivery. */
export type Verdict =
  | { kind: 'delivered' }
  /** Over, without success. */
  | { kind: 'failed' }
  | { kind: 'retry'; delaySeconds: number };

/** What came of one attempt. */
export interface AttemptReport {
  attempt: DeliveryAttempt;
  verdict: Verdict;
}

/** Makes the attempts of an order; the reports are in its order. Null: it could not be made, and is made again. */
export type Deliver = (order: DeliveryOrder) => Promise<(AttemptReport | null)[]>;
