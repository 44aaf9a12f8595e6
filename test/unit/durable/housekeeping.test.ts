import { expect, test } from 'vitest';
import { Housekeeping } from '../../../src/durable/storage/housekeeping.ts';

const dayMs = 86_400_000;

test('what is too old goes once a day, a slice a second, and only where there is something to forget', () => {
  let mark: number | null = null;
  const swept: number[] = [];
  const write = (at: number) => {
    mark = at;
  };
  const slow = { sweep: (now: number) => swept.push(now) > 1 };
  const housekeeping = new Housekeeping({ read: () => mark, write }, [slow, { sweep: () => true }]);
  const times = () => [housekeeping.dueAt(), housekeeping.wakesAt()];
  expect(times()).toEqual([null, null]);
  housekeeping.begin(1_000);
  housekeeping.begin(2_000);
  expect(times()).toEqual([1_000 + dayMs, null]);
  const at = 1_000 + dayMs;
  housekeeping.sweep(at);
  expect(times()).toEqual([at + 1_000, at + 1_000]);
  housekeeping.sweep(at + 1_000);
  expect(swept).toEqual([at, at + 1_000]);
  expect(times()).toEqual([at + 1_000 + dayMs, null]);
  expect(mark).toBe(at + 1_000);
});
