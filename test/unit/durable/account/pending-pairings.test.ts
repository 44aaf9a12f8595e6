import { expect, test } from 'vitest';
import { PendingPairings, PhoneClaims } from '../../../../src/durable/account/senders/pairings.ts';

const pairing = { state: 'pairing', revision: 2 } as const;

test('as many pairings begin as there may be; one that is under way may begin anew', () => {
  const pending = new PendingPairings();
  expect(pending.begin('a', {}, 2, 0)).toBe(true);
  expect(pending.begin('b', {}, 2, 0)).toBe(true);
  expect(pending.begin('c', {}, 2, 0)).toBe(false);
  expect(pending.begin('a', {}, 2, 0)).toBe(true);
  expect(pending.begin('c', {}, null, 0)).toBe(true);
});

test('a pairing counts until its number reports another state, however long that takes', () => {
  const pending = new PendingPairings();
  expect(pending.begin('a', {}, 1, 0)).toBe(true);
  expect(pending.begin('b', { a: pairing }, 1, 3_600_000)).toBe(false);
  expect(pending.begin('b', { a: { state: 'connected', revision: 3 } }, 1, 3_600_000)).toBe(true);
});

test("a number that was paired a moment ago is in nobody's way", () => {
  const pending = new PendingPairings();
  expect(pending.begin('a', { a: { state: 'unpaired', revision: 1 } }, 1, 0)).toBe(true);
  expect(pending.begin('b', { a: { state: 'unpaired', revision: 1 } }, 1, 10)).toBe(false);
  expect(pending.begin('b', { a: { state: 'connected', revision: 5 } }, 1, 20)).toBe(true);
});

test("a number that had said nothing before is in nobody's way either, once it has", () => {
  const pending = new PendingPairings();
  expect(pending.begin('a', {}, 1, 0)).toBe(true);
  expect(pending.begin('b', { a: { state: 'connected', revision: 1 } }, 1, 10)).toBe(true);
});

test('a pairing of which nothing was heard makes room also where the clock went back', () => {
  const pending = new PendingPairings();
  expect(pending.begin('a', {}, 1, 100_000)).toBe(true);
  expect(pending.begin('b', {}, 1, 70_001)).toBe(false);
  expect(pending.begin('b', {}, 1, 70_000)).toBe(true);
});

test('one that did not begin, or of which nothing was heard, makes room again', () => {
  const pending = new PendingPairings();
  expect(pending.begin('a', {}, 1, 0)).toBe(true);
  pending.giveBack('a');
  expect(pending.begin('b', {}, 1, 0)).toBe(true);
  expect(pending.begin('c', {}, 1, 29_000)).toBe(false);
  expect(pending.begin('c', {}, 1, 31_000)).toBe(true);
});

test('a phone that is being linked belongs to the number that has claimed it for a minute, and to nobody then', () => {
  const claims = new PhoneClaims();
  expect(claims.claim('628111222333', 'first', 0)).toBe(true);
  expect(claims.claim('628444555666', 'second', 0)).toBe(true);
  expect(claims.claim('628111222333', 'second', 59_999)).toBe(false);
  expect(claims.claim('628111222333', 'second', 60_000)).toBe(true);
  expect(claims.claim('628111222333', 'first', 60_000)).toBe(false);
  expect(claims.claim('628111222333', 'second', 90_000)).toBe(true);
  expect(claims.claim('628111222333', 'first', 120_000)).toBe(false);
});
