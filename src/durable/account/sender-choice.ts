import type { DeviceState } from '../../contract/device.ts';
import { type Refusal, refuse } from '../../contract/errors.ts';
import type { SenderSource } from '../../contract/message.ts';
import { type FilterName, filteredRefusal } from './recipient-filters.ts';
import type { SenderHealth } from './sender-report.ts';
import type { KeySnapshot } from './snapshot.ts';

/** A number of the account as the choice sees it, for one recipient. */
export interface Candidate {
  numberId: string;
  inPool: boolean;
  state: DeviceState;
  phoneNumber: string | null;
  health: SenderHealth;
  /** Messages that it may send in the next hour. */
  weight: number;
  /** Its place in the rotation: the lowest goes first. */
  position: number;
  /** The filter of this number that refuses the recipient. */
  filter: FilterName | null;
  /** The recipient and this number have no conversation yet. */
  isNewChat: boolean;
  /** When a message last went either way between the two, and when the recipient last wrote; null: never. */
  lastTalkAt: number | null;
  wroteAt: number | null;
}

export type SenderChoice =
  | {
      ok: true;
      numberId: string;
      source: SenderSource;
      isNewChat: boolean;
      /** It was next in the rotation, and not chosen for a pin, a hint or a conversation. */
      rotated: boolean;
    }
  | Refusal;

export interface ChoiceInput {
  key: Pick<KeySnapshot, 'pinnedNumberId' | 'onPinFailure'>;
  /** A number's id or phone number, or null. */
  senderHint: string | null;
  candidates: readonly Candidate[];
  /** 0: no conversation binds a recipient to a number. */
  stickyHours: number;
  now: number;
}

/** Replies to people who wrote within that time may pass the daily limit. */
const replyWindowMs = 24 * 3600 * 1000;

/**
 * `ready`: can send it now, or as soon as its pacing lets it. `waiting`: would take it and hold it. `unfit`: cannot be
 * asked at all.
 */
export type Fitness = 'ready' | 'waiting' | 'unfit';

/** Whether a number can be chosen for its recipient, and what speaks against it. */
export function fitnessOf(candidate: Candidate, now: number): { fitness: Fitness; reason: string | null } {
  const { state, health, filter, weight, isNewChat, wroteAt } = candidate;
  if (state !== 'connected' || health.status === 'unavailable') {
    return { fitness: 'unfit', reason: health.reason ?? `The number is ${state}.` };
  }
  if (filter !== null) return { fitness: 'unfit', reason: filteredRefusal(filter).message };
  if (health.status === 'resting') {
    return { fitness: 'unfit', reason: health.reason ?? 'The number rests after failures.' };
  }
  if (health.status === 'restricted' && isNewChat) {
    return {
      fitness: 'waiting',
      reason: health.reason ?? 'The network restricts new chats for this number.',
    };
  }
  if (weight > 0 || (wroteAt !== null && now - wroteAt < replyWindowMs))
    return { fitness: 'ready', reason: null };
  return { fitness: 'waiting', reason: 'The number may send nothing more for now.' };
}

/**
 * Which number speaks, by the contract's table: the pin; with `fallback`, or without a pin, the pool; a hint goes before
 * the rotation. In the pool first the number that the recipient talks with already, then whose turn it is.
 */
export function chooseSender(input: ChoiceInput): SenderChoice {
  const { key, senderHint, candidates, now } = input;
  const isReady = (candidate: Candidate) => fitnessOf(candidate, now).fitness === 'ready';
  if (key.pinnedNumberId !== null) {
    if (senderHint !== null) {
      return refuse(
        'SENDER_HINT_NOT_ALLOWED',
        'This API key is pinned to a number and takes no senderHint.',
        { details: [{ path: 'senderHint', message: 'A pinned key always uses its own number.' }] },
      );
    }
    const pin = candidates.find((candidate) => candidate.numberId === key.pinnedNumberId);
    if (key.onPinFailure === 'strict') return strictly(pin);
    if (pin && isReady(pin)) return chosen(pin, 'pinned');
    const other = fromPool(input, 'ready', 'pinned_fallback');
    if (other?.ok) return other;
    // Nobody else could send it sooner.
    if (pin?.state === 'connected' && pin.filter === null) return chosen(pin, 'pinned');
    return fromPool(input, 'waiting', 'pinned_fallback') ?? noSender(input);
  }
  if (senderHint === null) {
    return fromPool(input, 'ready', 'pool') ?? fromPool(input, 'waiting', 'pool') ?? noSender(input);
  }
  const hinted = candidates.find(
    ({ numberId, phoneNumber }) => senderHint === numberId || senderHint === phoneNumber,
  );
  if (!hinted) {
    return refuse('VALIDATION_ERROR', 'The request does not fit the schema.', {
      details: [{ path: 'senderHint', message: 'No number of this account has that id or phone number.' }],
    });
  }
  if (isReady(hinted)) return chosen(hinted, 'hint');
  const other = fromPool(input, 'ready', 'hint_fallback');
  if (other) return other;
  if (fitnessOf(hinted, now).fitness === 'waiting') return chosen(hinted, 'hint');
  return fromPool(input, 'waiting', 'hint_fallback') ?? noSender(input);
}

/** Only a number that cannot send at all is unavailable to its key: one that rests or waits keeps the message. */
function strictly(pin: Candidate | undefined): SenderChoice {
  if (pin?.state !== 'connected') {
    return refuse('SENDER_UNAVAILABLE', `The pinned number is ${pin?.state ?? 'deleted'}.`);
  }
  return pin.filter === null ? chosen(pin, 'pinned') : filteredRefusal(pin.filter, pin.numberId);
}

function fromPool(
  { candidates, stickyHours, now }: ChoiceInput,
  fitness: 'ready' | 'waiting',
  source: SenderSource,
): (SenderChoice & { ok: true }) | null {
  const pool = candidates.filter(
    (candidate) => candidate.inPool && fitnessOf(candidate, now).fitness === fitness,
  );
  const talksSince = now - stickyHours * 3600 * 1000;
  let partner: Candidate | null = null;
  let next: Candidate | null = null;
  for (const candidate of pool) {
    const { lastTalkAt, position } = candidate;
    if (stickyHours > 0 && lastTalkAt !== null && lastTalkAt > talksSince) {
      if (partner === null || lastTalkAt > (partner.lastTalkAt ?? 0)) partner = candidate;
    }
    if (next === null || position < next.position) next = candidate;
  }
  if (partner !== null) return chosen(partner, source);
  return next === null ? null : chosen(next, source, true);
}

function chosen(
  { numberId, isNewChat }: Candidate,
  source: SenderSource,
  rotated = false,
): SenderChoice & { ok: true } {
  return { ok: true, numberId, source, isNewChat, rotated };
}

/** Nobody in the pool can: told as a filter's doing when only filters stand in the way. */
function noSender({ candidates, now }: ChoiceInput): Refusal {
  const filtered = candidates.find(
    (candidate) =>
      candidate.inPool &&
      candidate.filter !== null &&
      fitnessOf({ ...candidate, filter: null }, now).fitness !== 'unfit',
  );
  if (filtered?.filter) return filteredRefusal(filtered.filter, filtered.numberId);
  return refuse('NO_HEALTHY_SENDER', 'No number of the pool is connected and healthy.');
}
