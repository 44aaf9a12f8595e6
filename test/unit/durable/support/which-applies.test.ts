import { describe, expect, test } from 'vitest';
import type { BusinessHours } from '../../../../src/contract/support/business-hours.ts';
import { spreadOf } from '../../../../src/durable/event-log/support/support-report.ts';
import {
  hoursFor,
  type KnownPolicy,
  policyFor,
} from '../../../../src/durable/event-log/support/support-snapshot.ts';

const [one, two] = ['019ab0d4-1b2c-7d3e-8f40-5a6b7c8d9e01', '019ab0d4-1b2c-7d3e-8f40-5a6b7c8d9e02'];

const policy = (id: string, more: Partial<KnownPolicy> = {}): KnownPolicy => ({
  id,
  name: id,
  firstResponseSeconds: 60,
  nextResponseSeconds: null,
  resolutionSeconds: null,
  businessHoursOnly: false,
  numberIds: 'all',
  labels: [],
  createdAt: 0,
  ...more,
});
const hours = (name: string, numberIds: BusinessHours['numberIds']): BusinessHours => ({
  name,
  timeZone: 'UTC',
  spans: [{ day: 'monday', from: '09:00', to: '17:00' }],
  holidays: [],
  numberIds,
});

describe('the policy of a conversation', () => {
  const policies = [
    policy('all'),
    policy('later'),
    policy('number', { numberIds: [one] }),
    policy('vip', { labels: ['vip', 'gold'] }),
    policy('vip of two', { labels: ['vip'], numberIds: [two] }),
  ];
  test.each([
    [{ numberId: one, labels: [] }, 'number'],
    [{ numberId: two, labels: [] }, 'all'],
    [{ numberId: one, labels: ['gold'] }, 'vip'],
    [{ numberId: two, labels: ['x', 'vip'] }, 'vip of two'],
  ])('of %j is "%s"', (conversation, id) => {
    expect(policyFor(policies, conversation)?.id).toBe(id);
  });

  test('is none where none is for it', () => {
    expect(policyFor([policy('vip', { labels: ['vip'] })], { numberId: one, labels: [] })).toBeNull();
  });
});

test('the hours of a number are those that name it, then the older of those for all', () => {
  const all = [hours('first', 'all'), hours('second', 'all'), hours('own', [two])];
  expect(hoursFor(all, one)?.name).toBe('first');
  expect(hoursFor(all, two)?.name).toBe('own');
  expect(hoursFor([hours('own', [two])], one)).toBeNull();
});

test('the median lies in the middle, and nine of ten are not above the 90th percentile', () => {
  expect(spreadOf([])).toEqual({ count: 0, medianSeconds: null, p90Seconds: null });
  expect(spreadOf([3000, 1000])).toEqual({ count: 2, medianSeconds: 2, p90Seconds: 3 });
  const ten = [7, 1, 3, 10, 2, 8, 4, 9, 6, 5].map((seconds) => seconds * 1000);
  expect(spreadOf(ten)).toEqual({ count: 10, medianSeconds: 6, p90Seconds: 9 });
});
