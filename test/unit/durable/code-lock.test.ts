import { expect, test } from 'vitest';
import { type CodeTries, takeCodeTry } from '../../../src/durable/sign-in-guard/code-lock.ts';

const now = Date.UTC(2026, 10, 26, 12);

/** Tries so many wrong codes, each as soon as it may; the waits between them in seconds. */
function guess(times: number): { waits: number[]; firstLocks: number[] } {
  const waits: number[] = [];
  const firstLocks: number[] = [];
  let tries: CodeTries | undefined;
  let at = now;
  for (let count = 1; count <= times; count += 1) {
    const taken = takeCodeTry(tries, at);
    if (!taken.ok) throw new Error('it was tried too early');
    if (taken.isFirstLock) firstLocks.push(count);
    tries = taken.tries;
    const refused = takeCodeTry(tries, at);
    const waitSeconds = refused.ok ? 0 : refused.retryAfterSeconds;
    waits.push(waitSeconds);
    at += waitSeconds * 1_000;
  }
  return { waits, firstLocks };
}

test('four wrong codes are free; from the fifth on each locks for twice as long as the one before', () => {
  const { waits, firstLocks } = guess(9);
  expect(waits).toEqual([0, 0, 0, 0, 60, 120, 240, 480, 960]);
  expect(firstLocks).toEqual([5]);
});

test('no lock is longer than a day, however many codes were wrong', () => {
  expect(guess(60).waits.at(-1)).toBe(86_400);
});

test('tries at the same moment are counted, whatever becomes of them', () => {
  let tries: CodeTries | undefined;
  const passed = Array.from({ length: 20 }, () => {
    const taken = takeCodeTry(tries, now);
    if (taken.ok) tries = taken.tries;
    return taken.ok;
  });
  expect(passed.filter(Boolean)).toHaveLength(5);
  expect(takeCodeTry(tries, now + 1)).toEqual({ ok: false, retryAfterSeconds: 60 });
});
