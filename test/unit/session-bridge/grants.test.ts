import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { grantHeader, grantTimes } from '../../../src/contract/bridge/bridge-frames.ts';
import { Grants } from '../../../src/session-bridge/edge/grants.ts';

const lease = { numberId: 'number', epoch: 3 };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});

afterEach(() => {
  vi.useRealTimers();
});

test('what the fleet has signed last for a lease is shown, until it may have run out', () => {
  const grants = new Grants();
  expect(grants.headersOf(lease)).toEqual({});
  grants.store(lease, 'first');
  grants.store(lease, 'second');
  grants.store({ numberId: 'other', epoch: 3 }, 'of another number');
  expect(grants.headersOf(lease)).toEqual({ [grantHeader]: 'second' });
  vi.advanceTimersByTime(grantTimes.usedMs - 1);
  expect(grants.headersOf(lease)).toEqual({ [grantHeader]: 'second' });
  vi.advanceTimersByTime(1);
  expect(grants.headersOf(lease)).toEqual({});
});

test('what was signed for another epoch is not shown', () => {
  const grants = new Grants();
  grants.store(lease, 'of the third');
  expect(grants.headersOf({ ...lease, epoch: 2 })).toEqual({});
  expect(grants.headersOf({ ...lease, epoch: 4 })).toEqual({});
});

test('what the number did not believe is not shown again, and what is signed anew is', () => {
  const grants = new Grants();
  grants.store(lease, 'not believed');
  grants.drop(lease);
  expect(grants.headersOf(lease)).toEqual({});
  grants.store(lease, 'anew');
  expect(grants.headersOf(lease)).toEqual({ [grantHeader]: 'anew' });
});
