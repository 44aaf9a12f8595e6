import { waitUntil as waitAtMost } from '../src/local/wait-until.ts';

/** Far more than anything takes on one core that is busy with every suite: it ends what hangs, and measures nothing. */
export const patienceMs = 100_000;

/** Asks again until there is an answer other than null. Throws with `what` when patience is over. */
export function waitUntil<Value>(what: string, ask: () => Promise<Value | null>): Promise<Value> {
  return waitAtMost(what, patienceMs, ask);
}
