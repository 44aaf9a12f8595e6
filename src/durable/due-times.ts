/** The first of some times; null: there is none. */
export function earliest(times: Iterable<number | null | undefined>): number | null {
  let first: number | null = null;
  for (const at of times) if (at != null) first = Math.min(first ?? at, at);
  return first;
}

/** Whether a time has come; null: it never does. */
export const isDue = (at: number | null, now: number): boolean => at !== null && at <= now;
