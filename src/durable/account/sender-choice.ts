import type { DeviceState } from '../../contract/device.ts';
import { type Refusal, refuse } from '../../contract/errors.ts';
import type { SenderSource } from '../../contract/message.ts';
import type { KeySnapshot } from './snapshot.ts';

/** A number of the account as the choice sees it. */
export interface Candidate {
  numberId: string;
  inPool: boolean;
  state: DeviceState;
  phoneNumber: string | null;
  /** Milliseconds since 1970; 0 when it was never chosen. */
  lastChosenAt: number;
}

export type SenderChoice = { ok: true; numberId: string; source: SenderSource } | Refusal;

/**
 * Which number speaks, by the contract's table: the pin; with `fallback`, or without a pin, the pool, least recently
 * chosen first; a hint goes before the rotation.
 */
export function chooseSender(
  key: Pick<KeySnapshot, 'pinnedNumberId' | 'onPinFailure'>,
  senderHint: string | null,
  candidates: readonly Candidate[],
): SenderChoice {
  if (key.pinnedNumberId !== null) {
    if (senderHint !== null) {
      return refuse(
        'SENDER_HINT_NOT_ALLOWED',
        'This API key is pinned to a number and takes no senderHint.',
        {
          details: [{ path: 'senderHint', message: 'A pinned key always uses its own number.' }],
        },
      );
    }
    const pin = candidates.find((candidate) => candidate.numberId === key.pinnedNumberId);
    if (pin && isHealthy(pin)) return { ok: true, numberId: pin.numberId, source: 'pinned' };
    if (key.onPinFailure === 'strict') {
      return refuse('SENDER_UNAVAILABLE', `The pinned number is ${pin?.state ?? 'deleted'}.`);
    }
    return fromPool(candidates, 'pinned_fallback');
  }
  if (senderHint === null) return fromPool(candidates, 'pool');
  const hinted = candidates.find(
    ({ numberId, phoneNumber }) => senderHint === numberId || senderHint === phoneNumber,
  );
  if (!hinted) {
    return refuse('VALIDATION_ERROR', 'The request does not fit the schema.', {
      details: [{ path: 'senderHint', message: 'No number of this account has that id or phone number.' }],
    });
  }
  if (isHealthy(hinted)) return { ok: true, numberId: hinted.numberId, source: 'hint' };
  return fromPool(candidates, 'hint_fallback');
}

function fromPool(candidates: readonly Candidate[], source: SenderSource): SenderChoice {
  let next: Candidate | null = null;
  for (const candidate of candidates) {
    if (!candidate.inPool || !isHealthy(candidate)) continue;
    if (next === null || candidate.lastChosenAt < next.lastChosenAt) next = candidate;
  }
  if (next === null) return refuse('NO_HEALTHY_SENDER', 'No number of the pool is connected.');
  return { ok: true, numberId: next.numberId, source };
}

function isHealthy(candidate: Candidate): boolean {
  return candidate.state === 'connected';
}
