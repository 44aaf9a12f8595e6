import type { Verdict } from '../../../../durable/event-log/deliveries/delivery-order.ts';

/** What a receiver did: it answered, or there was no answer. */
export type AttemptOutcome =
  | { kind: 'answered'; statusCode: number }
  | { kind: 'unreachable' }
  | { kind: 'forbidden' };

/**
 * What an attempt means for its delivery: 2xx delivered; 3xx and 4xx the receiver's no, final; 5xx and silence another
 * attempt on the ladder, until it is used up.
 *
 * @param attempt 1 for the first
 * @param ladderSeconds the waits before attempts 2, 3, …; one attempt more than it has rungs
 */
export function verdict(outcome: AttemptOutcome, attempt: number, ladderSeconds: readonly number[]): Verdict {
  // The rules for URLs have changed since it was saved: waiting will not help.
  if (outcome.kind === 'forbidden') return { kind: 'failed' };
  if (outcome.kind === 'answered') {
    if (outcome.statusCode >= 200 && outcome.statusCode < 300) return { kind: 'delivered' };
    if (outcome.statusCode >= 300 && outcome.statusCode < 500) return { kind: 'failed' };
  }
  const delaySeconds = ladderSeconds[attempt - 1];
  return delaySeconds === undefined ? { kind: 'failed' } : { kind: 'retry', delaySeconds };
}

/**
 * Why there was no answer, for a person, as far as the runtime tells. workerd 1.20260918 was tried: a host that refuses or
 * breaks off is "Network connection lost."; a name that is not known and a certificate that is not trusted are both
 * "internal error; reference = …", and only its log has the rest. The platform answers with a status of its own instead:
 * {@link statusMeaning}.
 */
export function connectionFailure(error: unknown, url: string): string {
  const message = error instanceof Error ? error.message : '';
  if (message.startsWith('Network connection lost'))
    return 'The connection failed: nothing listens there, or it broke off before an answer.';
  if (!message.startsWith('internal error')) return 'The connection failed.';
  return url.startsWith('https:')
    ? 'The connection failed: the name of the host is not known, or its certificate is not trusted (self-signed, expired or for another name).'
    : 'The connection failed: the name of the host is not known.';
}

/** Statuses with which Cloudflare says what hindered it on the way to a host, in its own or in the receiver's place. */
const meanings: Record<number, string> = {
  520: 'what came was no answer',
  521: 'the connection was refused',
  522: 'the connection took too long',
  523: 'the host cannot be reached',
  524: 'there was no answer in time',
  525: 'the TLS handshake failed',
  526: 'the certificate is not trusted',
  530: 'the name of the host is not known',
};

/** `: <what it means>`, for a status that says what failed on the way; else nothing. */
export const statusMeaning = (status: number): string =>
  meanings[status] === undefined ? '' : `: ${meanings[status]}`;
