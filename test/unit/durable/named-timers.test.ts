import { expect, onTestFinished, test, vi } from 'vitest';
import { NamedTimers } from '../../../src/durable/named-timers.ts';

const minuteMs = 60_000;

test('a timer whose run never ends runs again after a quarter of an hour, in the same life', async () => {
  vi.stubGlobal('scheduler', { wait: async () => {} });
  onTestFinished(() => void vi.unstubAllGlobals());
  const runs: PromiseWithResolvers<void>[] = [];
  const run = () => {
    runs.push(Promise.withResolvers());
    return runs.at(-1)?.promise;
  };
  const storage = { setAlarm: async () => {} } as unknown as DurableObjectStorage;
  const timers = new NamedTimers(storage, [{ name: 'hangs', dueAt: () => 1, run }]);
  const end = async (run: PromiseWithResolvers<void> | undefined) => {
    run?.resolve();
    await new Promise(setImmediate);
  };
  const ring = (atMs: number) => timers.ring(atMs, () => {});
  await ring(minuteMs);
  await ring(16 * minuteMs - 1);
  expect(runs).toHaveLength(1);
  await ring(16 * minuteMs);
  expect(runs).toHaveLength(2);
  // The one that was lost ends after all, and the other one has not.
  await end(runs[0]);
  await ring(17 * minuteMs);
  expect(runs).toHaveLength(2);
  await end(runs[1]);
  await ring(18 * minuteMs);
  expect(runs).toHaveLength(3);
});

test('waits that a clock has made too long are ended in a new life, and when the clock is set back, and at no other time', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 60 * minuteMs });
  vi.stubGlobal('scheduler', { wait: async () => {} });
  onTestFinished(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
  const clockWentBack = vi.fn();
  const storage = { getAlarm: async () => null, setAlarm: async () => {} } as unknown as DurableObjectStorage;
  const timers = new NamedTimers(storage, [
    { name: 'waits', dueAt: () => null, run: () => {}, clockWentBack },
  ]);
  await timers.wake();
  expect(clockWentBack.mock.calls).toEqual([[60 * minuteMs]]);
  // Clocks of several machines differ by less.
  for (const ms of [60 * minuteMs + 5_000, 60 * minuteMs]) {
    vi.setSystemTime(ms);
    timers.arm();
  }
  expect(clockWentBack).toHaveBeenCalledTimes(1);
  vi.setSystemTime(30 * minuteMs);
  timers.arm();
  await timers.ring(20 * minuteMs, () => {});
  vi.setSystemTime(20 * minuteMs);
  timers.arm();
  expect(clockWentBack.mock.calls.slice(1)).toEqual([[30 * minuteMs], [20 * minuteMs]]);
});

test('the alarm is set only where none is set, or one that is too late, in a new life too: each setting writes a row', async () => {
  const alarmsSet = async (alarmAt: number | null) => {
    const setAlarm = vi.fn(async () => {});
    const storage = { getAlarm: async () => alarmAt, setAlarm } as unknown as DurableObjectStorage;
    const timers = new NamedTimers(storage, [{ name: 'waits', dueAt: () => 2 * minuteMs, run: () => {} }]);
    await timers.wake();
    timers.arm();
    return setAlarm.mock.calls.flat();
  };
  expect(await alarmsSet(null)).toEqual([2 * minuteMs]);
  expect(await alarmsSet(2 * minuteMs + 1)).toEqual([2 * minuteMs]);
  for (const alarmAt of [minuteMs, 2 * minuteMs]) expect(await alarmsSet(alarmAt)).toEqual([]);
});
