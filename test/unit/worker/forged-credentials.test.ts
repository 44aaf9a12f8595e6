import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { refuse } from '../../../src/contract/errors.ts';
import { ForgedCredentials } from '../../../src/worker/auth/made-up-keys/forged-credentials.ts';

const failuresAMinute = 60;
const wrong = refuse('INVALID_API_KEY', 'The key is wrong.');
const address = '203.0.113.7';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

const pass = (seconds: number) => void vi.setSystemTime(Date.now() + seconds * 1000);
const failTimes = (forged: ForgedCredentials, times: number, from = address) =>
  Array.from({ length: times }, () => forged.failed(from, wrong).code).at(-1);

test('an address that has failed sixty times within a minute waits for ten seconds, and is looked at then', () => {
  const forged = new ForgedCredentials();
  expect(failTimes(forged, failuresAMinute)).toBe('INVALID_API_KEY');
  expect(forged.waits.refusal(address)).toBeNull();
  expect(forged.failed(address, wrong)).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 10 });
  pass(9.5);
  expect(forged.waits.refusal(address)).toMatchObject({ retryAfterSeconds: 1 });
  expect(forged.waits.refusal('203.0.113.8')).toBeNull();
  pass(0.5);
  expect(forged.waits.refusal(address)).toBeNull();
});

test('what failed more than a minute ago counts no more', () => {
  const forged = new ForgedCredentials();
  failTimes(forged, failuresAMinute);
  pass(60);
  expect(failTimes(forged, failuresAMinute)).toBe('INVALID_API_KEY');
  expect(failTimes(forged, 1)).toBe('RATE_LIMITED');
});

test('all addresses of one IPv6 subscriber count as one, and wait as one', () => {
  const forged = new ForgedCredentials();
  for (let host = 1; host <= failuresAMinute; host += 1) failTimes(forged, 1, `2001:db8:1:2::${host}`);
  expect(failTimes(forged, 1, '2001:db8:1:2:ffff::1')).toBe('RATE_LIMITED');
  expect(forged.waits.refusal('2001:db8:1:2::9')).not.toBeNull();
  expect(forged.waits.refusal('2001:db8:1:3::9')).toBeNull();
});
