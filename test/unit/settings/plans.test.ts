import { expect, test } from 'vitest';
import { planOf, plansProblem, readPlans } from '../../../src/settings/plans.ts';

const storageBytes = 5 * 1024 ** 3;
const freeCaps = { numbers: 10, webhooks: 20, keys: 50, members: 25, pairings: 3 };

test('plans are the free one and those that the operator names; one that is no longer named counts as free', () => {
  const plans = readPlans('1000', '{"business": 50000, "none": 0}');
  expect(planOf(plans, 'free')).toEqual({ messagesAMonth: 1000, storageBytes, caps: freeCaps });
  expect(planOf(plans, 'business')).toEqual({ messagesAMonth: 50_000, storageBytes, caps: freeCaps });
  expect(planOf(plans, 'none').messagesAMonth).toBe(0);
  expect(planOf(plans, 'gone').messagesAMonth).toBe(1000);
  expect(planOf(readPlans('5', undefined), 'free').messagesAMonth).toBe(5);
  expect(planOf(readPlans('5', '{"free": 7}'), 'free').messagesAMonth).toBe(7);
});

test('a plan may name caps; what it leaves out is as on the free plan', () => {
  const plans = readPlans('1000', '{"team": {"messages": 20000, "numbers": 50, "keys": "unlimited"}}');
  expect(planOf(plans, 'team')).toEqual({
    messagesAMonth: 20_000,
    storageBytes,
    caps: { ...freeCaps, numbers: 50, keys: null },
  });
});

test('a plan may name how many bytes of files an account has', () => {
  const plans = readPlans(
    '1000',
    '{"small": {"storageBytes": 5000000}, "large": {"storageBytes": "unlimited"}}',
  );
  expect(planOf(plans, 'small')).toEqual({ messagesAMonth: 1000, storageBytes: 5_000_000, caps: freeCaps });
  expect(planOf(plans, 'large').storageBytes).toBeNull();
  expect(plansProblem('{"small": {"storageBytes": -1}}')).toMatch(/small/);
});

test("a gateway of one's own caps nothing", () => {
  const nothing = { numbers: null, webhooks: null, keys: null, members: null, pairings: null };
  expect(planOf(readPlans('1000', '{"free": "unlimited"}'), 'free')).toEqual({
    messagesAMonth: null,
    storageBytes: null,
    caps: nothing,
  });
  expect(planOf(readPlans('unlimited', undefined), 'free')).toEqual({
    messagesAMonth: null,
    storageBytes,
    caps: freeCaps,
  });
});

test.each([
  ['many', '{}'],
  ['-1', '{}'],
  ['1000', '[1]'],
  ['1000', '{"business": "many"}'],
  ['1000', '{"business": 1.5}'],
  ['1000', '{"business": {"number": 5}}'],
  ['1000', '{"business": {"numbers": -1}}'],
  ['1000', 'business=1'],
])('plans that cannot be read (%j, %j) are refused, and not guessed', (free, named) => {
  expect(() => readPlans(free, named)).toThrow();
});

test('what is wrong with a plan is told by its name', () => {
  expect(plansProblem('{"business": 1}')).toBeNull();
  expect(plansProblem('business')).toMatch(/JSON/);
  expect(plansProblem('{"business": "many"}')).toMatch(/\(business: must be a whole number/);
});
