import { setTimeout as delay } from 'node:timers/promises';

/** Soon at first; who waits for long is not in a hurry, and each question costs whoever is asked. */
const firstPauseMs = 25;
const longestPauseMs = 250;

/** Asks again and again, after growing pauses, until there is an answer other than null. Throws with `what` when the time is over. */
export async function waitUntil<Value>(
  what: string,
  timeoutMs: number,
  ask: () => Promise<Value | null>,
  signal?: AbortSignal,
): Promise<Value> {
  const deadline = Date.now() + timeoutMs;
  let pauseMs = firstPauseMs;
  for (;;) {
    signal?.throwIfAborted();
    const value = await ask();
    if (value !== null) return value;
    if (Date.now() >= deadline) throw new Error(`${what}: not within ${Math.round(timeoutMs / 1000)} s`);
    await delay(pauseMs, undefined, signal === undefined ? {} : { signal });
    pauseMs = Math.min(pauseMs * 1.15, longestPauseMs);
  }
}
