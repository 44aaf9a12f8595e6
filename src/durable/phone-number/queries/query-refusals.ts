import type { QueryFailure } from '../../../contract/bridge/network-queries.ts';
import { type ErrorCode, type Refusal, refuse } from '../../../contract/errors.ts';

/** The network limits such questions of this number. */
export function limitedRefusal(until: number, now: number): Refusal {
  return refuse('RATE_LIMITED', 'The network limits such requests of this number for a while.', {
    retryAfterSeconds: Math.max(1, Math.ceil((until - now) / 1000)),
  });
}

/** The network's refusals that a caller can tell apart; whatever else it says is a conflict. */
const refusals: Record<string, [ErrorCode, string]> = {
  401: ['CONFLICT', 'The network does not allow this number to do that.'],
  403: ['CONFLICT', 'The network does not allow this number to do that: only an admin of the group may.'],
  404: ['NOT_FOUND', 'The network knows no such thing, or not for this number.'],
  410: ['NOT_FOUND', 'At the network this is over.'],
};

/** What a caller is told of a question without an answer. */
export function failureRefusal({ reason, code }: QueryFailure): Refusal {
  switch (reason) {
    case 'not_connected':
      return refuse('SENDER_UNAVAILABLE', 'The number is not connected, so the network cannot be asked.');
    case 'no_answer':
      return refuse(
        'SENDER_UNAVAILABLE',
        'The network did not answer in time. What was to be changed may have changed all the same.',
      );
    case 'rate_limited':
      return refuse('RATE_LIMITED', 'The network limits such requests of this number for a while.');
    case 'refused': {
      const [errorCode, message] = refusals[code ?? ''] ?? ['CONFLICT', `The network refused it (${code}).`];
      return refuse(errorCode, message);
    }
  }
}
