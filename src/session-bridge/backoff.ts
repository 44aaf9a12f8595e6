/** The longest that a timer takes. */
export const timerMsMax = 2 ** 31 - 1;

/**
 * A random wait around `waitMs`, between half of it and one and a half times it, so that many clients do not repeat something
 * soon or all at once.
 */
export function spreadMs(waitMs: number, random: () => number = Math.random): number {
  return Math.floor(waitMs * (0.5 + random()));
}

/** Full jitter: anywhere between nothing and the step, so that many clients never come back at once. */
export function backoffMs(
  attempt: number,
  { baseMs, capMs }: { baseMs: number; capMs: number },
  random: () => number = Math.random,
): number {
  const stepMs = Math.min(capMs, baseMs * 2 ** Math.min(attempt, 20));
  return Math.floor(random() * stepMs);
}
