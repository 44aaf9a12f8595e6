import { expect, onTestFinished, test, vi } from 'vitest';
import { LongCalls } from '../../../src/durable/hand-over/long-calls.ts';

/** Calls that answer when the test says so. */
function stage() {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const faults = vi.spyOn(console, 'error').mockReturnValue();
  onTestFinished(() => faults.mockRestore());
  const begun = new Map<string, PromiseWithResolvers<void>>();
  const freed = vi.fn();
  const call = (order: string) => {
    const answer = Promise.withResolvers<void>();
    begun.set(order, answer);
    return answer.promise;
  };
  const calls = new LongCalls<string>({
    ...{ name: 'calls', waitUntil: () => {}, call, atOnceMax: 2, callMsMax: 60_000, freed },
  });
  return { calls, begun, freed, faults };
}

test('a call has its place until it has answered, has failed, or has had its time', async () => {
  const { calls, begun, freed, faults } = stage();
  calls.begin(['answers', 'fails'], Date.now());
  expect(calls.room).toBe(0);
  begun.get('answers')?.resolve();
  begun.get('fails')?.reject(new Error('gone'));
  await vi.advanceTimersByTimeAsync(0);
  expect([calls.room, freed.mock.calls.length, faults.mock.calls.length]).toEqual([2, 2, 1]);
  calls.begin(['hangs'], Date.now());
  await vi.advanceTimersByTimeAsync(59_999);
  expect(calls.room).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect([calls.room, freed.mock.calls.length]).toEqual([2, 3]);
});

test('the object is kept awake while a call is under way, and no longer', async () => {
  const { calls, begun } = stage();
  const { timer } = calls;
  expect(timer.dueAt()).toBeNull();
  calls.begin(['long'], 1_000);
  expect(timer.dueAt()).toBe(31_000);
  await timer.run(31_000);
  expect(timer.dueAt()).toBe(61_000);
  begun.get('long')?.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(timer.dueAt()).toBeNull();
});
