import { expect, test } from 'vitest';
import { SharedRun } from '../../../src/durable/shared-run.ts';

test('a call is served by a run that begins after it, and all who wait share one', async () => {
  const gates: (() => void)[] = [];
  const runs = new SharedRun(() => new Promise((resolve) => void gates.push(resolve)));
  const first = runs.run();
  await Promise.resolve();
  const waiting = Array.from({ length: 20 }, () => runs.run());
  expect(new Set(waiting).size).toBe(1);
  expect(gates).toHaveLength(1);
  gates[0]?.();
  await first;
  await expect.poll(() => gates.length).toBe(2);
  gates[1]?.();
  await Promise.all(waiting);
  expect(gates).toHaveLength(2);
  expect(runs.isUnderWay).toBe(false);
});

test('a run that fails fails those it served, and nobody after them', async () => {
  let attempts = 0;
  const runs = new SharedRun(async () => {
    attempts += 1;
    if (attempts === 1) throw new Error('away');
  });
  const failed = expect(runs.run()).rejects.toThrow('away');
  await Promise.resolve();
  await expect(runs.run()).resolves.toBeUndefined();
  await failed;
  expect(runs.isUnderWay).toBe(false);
});
