import { createHmac } from 'node:crypto';
import { dayMs } from '../../../../contract/times.ts';

const secretPrefix = 'whsec_';

/** How long both secrets sign after a rotation. */
export const rotationMs = dayMs;

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

/** What signs: the secret, and during a rotation the one before it. */
export interface SigningSecrets {
  current: string;
  previous: string | null;
}

/** All headers of a callback; two signatures of the same body, ours and that of Standard Webhooks. */
export function callbackHeaders(secrets: SigningSecrets, facts: CallbackFacts): Record<string, string> {
  const { body, event, eventId, deliveryId, attempt, at } = facts;
  const timestamp = new Date(at).toISOString();
  const seconds = String(Math.floor(at / 1000));
  const own = (secret: string) => createHmac('sha256', secret).update(`${body}.${timestamp}`).digest('hex');
  // Ours is keyed with the secret as it was shown; theirs with the bytes behind its base64 part.
  const standard = (secret: string) => {
    const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${eventId}.${seconds}.${body}`).digest('base64')}`;
  };
  const { current, previous } = secrets;
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Heliograph-Webhooks/1.0',
    'X-Service-Event': event,
    'X-Service-Delivery-Id': deliveryId,
    'X-Service-Attempt': String(attempt),
    'X-Service-Timestamp': timestamp,
    'X-Service-Signature': own(current),
    ...(previous === null ? {} : { 'X-Service-Signature-Previous': own(previous) }),
    'webhook-id': eventId,
    'webhook-timestamp': seconds,
    'webhook-signature': previous === null ? standard(current) : `${standard(current)} ${standard(previous)}`,
  };
}

/** A fresh signing secret: `whsec_` and 256 random bits in base64. */
export function newWebhookSecret(): string {
  return `${secretPrefix}${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')}`;
}
