import { expect, test } from 'vitest';
import { hourMs } from '../../../src/contract/times.ts';
import {
  alertsAMessageMax,
  grouped,
  isEndTold,
  mayBeToldAt,
  messagesAnHourMax,
  mutedUntil,
  wants,
} from '../../../src/durable/event-log/alerts/deliveries/alert-order.ts';

const [mine, other] = ['019ab0d4-1b2c-7d3e-8f40-5a6b7c8d9e0f', '019ab0d4-1b2c-7d3e-8f40-5a6b7c8d9e10'];
const about = (kind: 'device.banned' | 'quota.exceeded', subject: string, detail = {}) => ({
  kind,
  subject,
  detail,
});
const banned = about('device.banned', `number:${mine}`);
const quota = about('quota.exceeded', 'quota:2026-01');

test('a channel gets the kinds and numbers that it names, and what concerns no number', () => {
  expect(wants({ kinds: null, numberIds: null }, banned)).toBe(true);
  expect(wants({ kinds: ['quota.exceeded'], numberIds: null }, banned)).toBe(false);
  expect(wants({ kinds: null, numberIds: [other] }, banned)).toBe(false);
  expect(wants({ kinds: null, numberIds: [mine, other] }, banned)).toBe(true);
  expect(wants({ kinds: null, numberIds: [other] }, quota)).toBe(true);
  // What is about a chat concerns the number that the chat is with.
  const late = {
    kind: 'support.response_late' as const,
    subject: 'conversation:1',
    detail: { numberId: mine },
  };
  expect(wants({ kinds: null, numberIds: [other] }, late)).toBe(false);
});

test('a mute of a kind, of a number, of both and of everything holds until the last of them ends', () => {
  const mute = (kind: 'device.banned' | null, numberId: string | null, until: number) => ({
    id: 'mute',
    kind,
    numberId,
    until,
  });
  expect(mutedUntil(banned, [], 100)).toBeNull();
  expect(mutedUntil(banned, [mute('device.banned', null, 200)], 100)).toBe(200);
  expect(mutedUntil(banned, [mute(null, mine, 200), mute('device.banned', mine, 300)], 100)).toBe(300);
  expect(mutedUntil(banned, [mute(null, other, 200)], 100)).toBeNull();
  expect(mutedUntil(banned, [mute('device.banned', null, 100)], 100)).toBeNull();
  expect(mutedUntil(quota, [mute('device.banned', null, 200)], 100)).toBeNull();
  expect(mutedUntil(quota, [mute(null, mine, 200)], 100)).toBeNull();
  expect(mutedUntil(quota, [mute(null, null, 200)], 100)).toBe(200);
});

test('alerts of one kind are one message, as long as it does not get too long', () => {
  const many = Array.from({ length: alertsAMessageMax + 1 }, () => banned);
  expect(grouped([...many, quota]).map(({ length }) => length)).toEqual([alertsAMessageMax, 1, 1]);
  expect(grouped([])).toEqual([]);
});

test('who has had their share of the hour waits until the oldest message of it is an hour ago', () => {
  const now = 10 * hourMs;
  const told = Array.from({ length: messagesAnHourMax }, (_, index) => now - 1_000 * (index + 1));
  expect(mayBeToldAt([], now)).toBe(now);
  expect(mayBeToldAt(told.slice(1), now)).toBe(now);
  expect(mayBeToldAt(told, now)).toBe(now - 1_000 * messagesAnHourMax + hourMs);
  expect(
    mayBeToldAt(
      told.map((at) => at - hourMs),
      now,
    ),
  ).toBe(now);
});

test('the end of a disconnection is told by its own alert, the end of a warning by nothing', () => {
  expect(isEndTold('device.disconnected')).toBe(false);
  expect(isEndTold('quota.warning')).toBe(false);
  expect(isEndTold('device.banned')).toBe(true);
  expect(isEndTold('webhook.disabled')).toBe(true);
});
