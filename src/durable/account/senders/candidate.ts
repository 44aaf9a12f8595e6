import type { DeviceState } from '../../../contract/bridge/device.ts';
import type { SenderHealth } from '../../hand-over/number-news.ts';
import { type FilterCheck, filteredRefusal } from '../recipients/recipient-filters.ts';
import type { MessageKind } from './message-kind.ts';

/** A number of the account as the choice of a sender sees it. */
export interface Candidate {
  readonly numberId: string;
  readonly inPool: boolean;
  readonly state: DeviceState;
  readonly phoneNumber: string | null;
  readonly health: SenderHealth;
  /** Its object does not answer for the moment. */
  readonly isFailing: boolean;
  /** Messages that it may send in the next hour. */
  readonly weight: number;
  /** Its place in the rotation: the lowest goes first; `order` decides between equals. */
  readonly place: number;
  readonly order: number;
  readonly filters: FilterCheck;
}

/** A recipient as a number sees it. */
export interface Chat {
  /** The phone number that filters are asked about; null for a group, which none refuses. */
  phoneNumber: string | null;
  /** What a message to them would be. */
  kind: MessageKind;
}

/**
 * `ready`: can send it now, or as soon as its pacing lets it. `waiting`: would take it and hold it. `unfit`: cannot be
 * asked at all.
 */
export type Fitness = 'ready' | 'waiting' | 'unfit';

/** Whether a number can be chosen for a recipient, and what speaks against it. */
export function fitnessOf(
  candidate: Candidate,
  { phoneNumber, kind }: Chat,
): { fitness: Fitness; reason: string | null } {
  const { state, health, filters, weight, isFailing } = candidate;
  if (state !== 'connected' || health.status === 'unavailable') {
    return { fitness: 'unfit', reason: health.reason ?? `The number is ${state}.` };
  }
  const filter = phoneNumber === null ? null : filters.refusedBy(phoneNumber);
  if (filter !== null) return { fitness: 'unfit', reason: filteredRefusal(filter).message };
  if (health.status === 'resting') {
    return { fitness: 'unfit', reason: health.reason ?? 'The number rests after failures.' };
  }
  if (isFailing) return { fitness: 'waiting', reason: 'The number does not answer for the moment.' };
  if (health.status === 'restricted' && kind === 'new') {
    return {
      fitness: 'waiting',
      reason: health.reason ?? 'The network restricts new chats for this number.',
    };
  }
  if (weight > 0 || kind === 'answer') return { fitness: 'ready', reason: null };
  return { fitness: 'waiting', reason: 'The number may send nothing more for now.' };
}

/** What a number can do for most recipients; null: for none. */
export type Readiness = 'ready' | 'restricted' | 'waiting';

export function readinessOf({ state, health, isFailing, weight }: Candidate): Readiness | null {
  if (state !== 'connected' || health.status === 'unavailable' || health.status === 'resting') return null;
  if (isFailing || weight === 0) return 'waiting';
  return health.status === 'restricted' ? 'restricted' : 'ready';
}
