/** The first of some times; null: there is none. */
export function earliest(times: Iterable<number | null | undefined>): number | null {
  let first: number | null = null;
  for (const at of times) if (at != null) first = Math.min(first ?? at, at);
  return first;
}

/** Whether a time has come; null: it never does. */
export const isDue = (at: number | null, now: number): boolean => at !== null && at <= now;

/** Clocks of several machines differ by less. */
export const clockSlackMs = 5_000;

/**
 * When a wait ends that takes so long at most. A time further ahead was set by a clock that went back since: then the wait is
 * over (a time long past), and does not last until the clock has caught up.
 */
export const endOfWait = (until: number, waitMsMax: number, now = Date.now()): number =>
  until > now + waitMsMax ? 1 : until;
