import { setTimeout as delay } from 'node:timers/promises';

const pollEveryMs = 50;

/** Asks again until there is an answer other than null. Throws with `what` when the time is over. */
export async function waitUntil<Value>(
  what: string,
  timeoutMs: number,
  ask: () => Promise<Value | null>,
  signal?: AbortSignal,
): Promise<Value> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    signal?.throwIfAborted();
    const value = await ask();
    if (value !== null) return value;
    if (Date.now() >= deadline) throw new Error(`${what}: not within ${Math.round(timeoutMs / 1000)} s`);
    await delay(pollEveryMs, undefined, signal === undefined ? {} : { signal });
  }
}
