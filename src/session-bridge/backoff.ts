/** The longest that a timer takes. */
export const timerMsMax = 2 ** 31 - 1;

/** Around `waitMs`, from half of it to half as much again: for what must not come back soon, nor all at once. */
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
