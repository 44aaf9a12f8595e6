import { createHmac } from 'node:crypto';

const secretPrefix = 'whsec_';

export interface CallbackFacts {
  /** The body's exact characters. */
  body: string;
  event: string;
  eventId: string;
  deliveryId: string;
  /** 1 for the first. */
  attempt: number;
  /** When this attempt is made, milliseconds. */
  at: number;
}

/** All headers of a callback; two signatures of the same body, ours and that of Standard Webhooks. */
export function callbackHeaders(secret: string, facts: CallbackFacts): Record<string, string> {
  const { body, event, eventId, deliveryId, attempt, at } = facts;
  const timestamp = new Date(at).toISOString();
  const seconds = String(Math.floor(at / 1000));
  // Ours is keyed with the secret as it was shown; theirs with the bytes behind its base64 part.
  const standardKey = Buffer.from(secret.slice(secretPrefix.length), 'base64');
  const standard = createHmac('sha256', standardKey).update(`${eventId}.${seconds}.${body}`).digest('base64');
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Heliograph-Webhooks/1.0',
    'X-Service-Event': event,
    'X-Service-Delivery-Id': deliveryId,
    'X-Service-Attempt': String(attempt),
    'X-Service-Timestamp': timestamp,
    'X-Service-Signature': createHmac('sha256', secret).update(`${body}.${timestamp}`).digest('hex'),
    'webhook-id': eventId,
    'webhook-timestamp': seconds,
    'webhook-signature': `v1,${standard}`,
  };
}

/** A fresh signing secret: `whsec_` and 256 random bits in base64. */
export function newWebhookSecret(): string {
  return `${secretPrefix}${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')}`;
}
