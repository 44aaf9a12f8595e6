import { expect, test } from 'vitest';
import { admitAtOnce } from '../../../src/worker/events/at-once.ts';

const second = (at: number, sizes: number[]) => sizes.map((events) => admitAtOnce(events, at));

test('an isolate takes 300 events a second past the queue, and a larger message when it has none yet', () => {
  expect(second(1_000_000, [299, 1, 1])).toEqual([true, true, false]);
  expect(second(1_000_999, [1])).toEqual([false]);
  expect(second(1_001_000, [500, 1])).toEqual([true, false]);
  expect(second(1_002_000, [1])).toEqual([true]);
});
