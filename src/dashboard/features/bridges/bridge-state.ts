import type { Bridge } from '../../../sdk/index.ts';
import type { Tone } from '../../parts/feedback.tsx';

type Condition = 'linked' | 'draining' | 'empty' | 'away' | 'lost' | 'gone' | 'revoked';

/** In the order in which they stand in the list. */
export const conditionTone: Record<Condition, Tone> = {
  lost: 'red',
  away: 'amber',
  linked: 'green',
  draining: 'amber',
  empty: 'blue',
  gone: 'grey',
  revoked: 'grey',
};
const order = Object.keys(conditionTone);

/** How a bridge does, in one word; `lost`: it is gone, and its numbers wait all the same. */
export function conditionOf({ state, numbers, isDraining }: Bridge): Condition {
  if (state === 'revoked' || state === 'away') return state;
  if (state === 'expired') return numbers > 0 ? 'lost' : 'gone';
  if (isDraining) return numbers > 0 ? 'draining' : 'empty';
  return 'linked';
}

const shownCharacters = 6;

/** The end of its id stands for one that nobody gave a name. */
export const nameOf = ({ name, bridgeId }: Bridge): string => name ?? bridgeId.slice(-shownCharacters);

/** Since when it is as it is: linked, or gone. */
export const sinceOf = ({ linkedAt, leasesUntil }: Bridge): string | null => leasesUntil ?? linkedAt;

/** What needs somebody first, and what is over last. */
export function sorted(bridges: readonly Bridge[]): Bridge[] {
  const place = (bridge: Bridge) => order.indexOf(conditionOf(bridge));
  return bridges.toSorted((a, b) => place(a) - place(b) || nameOf(a).localeCompare(nameOf(b)));
}
