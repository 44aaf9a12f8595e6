import { setTimeout as delay } from 'node:timers/promises';

const firstPauseMs = 5;
const longestPauseMs = 80;

/** Waits for a condition, after growing pauses and far longer than a busy machine may need; what it resolves to. */
export async function until<T>(condition: () => T | Promise<T>): Promise<Exclude<Awaited<T>, Nothing>> {
  const deadline = performance.now() + 60_000;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.3, longestPauseMs)) {
    const found = await condition();
    if (found) return found as Exclude<Awaited<T>, Nothing>;
    if (performance.now() > deadline) throw new Error('The condition was not met within a minute');
    await delay(pauseMs);
  }
}

type Nothing = false | null | undefined | 0 | '';
