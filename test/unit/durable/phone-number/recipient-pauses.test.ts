import { expect, test } from 'vitest';
import { RecipientPauses } from '../../../../src/durable/phone-number/pacing/sender-pace.ts';
import { newNumberSql } from './number-sql.ts';

const now = Date.UTC(2026, 4, 10, 12);
const dayMs = 86_400_000;

test('whoever was written to before the clock went back is kept waiting from now on, and no longer', () => {
  const pauses = new RecipientPauses(newNumberSql());
  pauses.noteOut('628111222333', now);
  expect(pauses.lastOutAt('628111222333', now)).toBe(now);
  expect(pauses.lastOutAt('628111222333', now - dayMs)).toBe(now - dayMs);
  expect(pauses.lastOutAt('628111222333', now - dayMs + 60_000)).toBe(now - dayMs);
  expect(pauses.lastOutAt('628444555666', now)).toBeNull();
});

test('a pause of a day is remembered until it is over, and forgotten another day later', () => {
  const pauses = new RecipientPauses(newNumberSql());
  pauses.noteOut('628111222333', now);
  pauses.sweep(now + dayMs);
  expect(pauses.lastOutAt('628111222333', now + dayMs)).toBe(now);
  pauses.sweep(now + 2 * dayMs + 1);
  expect(pauses.lastOutAt('628111222333', now + 2 * dayMs + 1)).toBeNull();
});

test('when somebody who is erased was written to is not known any more', () => {
  const pauses = new RecipientPauses(newNumberSql());
  const [erased, other] = ['628111222333', '628444555666'];
  for (const recipient of [erased, other]) pauses.noteOut(recipient, now);
  pauses.forget(erased);
  expect([pauses.lastOutAt(erased, now), pauses.lastOutAt(other, now)]).toEqual([null, now]);
});
