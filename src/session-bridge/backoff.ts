/** Full jitter: anywhere between nothing and the step, so that many clients never come back at once. */
export function backoffMs(
  attempt: number,
  { baseMs, capMs }: { baseMs: number; capMs: number },
  random: () => number = Math.random,
): number {
  const stepMs = Math.min(capMs, baseMs * 2 ** Math.min(attempt, 20));
  return Math.floor(random() * stepMs);
}
