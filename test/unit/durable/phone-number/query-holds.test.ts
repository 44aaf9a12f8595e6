import { expect, test } from 'vitest';
import { NumberState } from '../../../../src/durable/phone-number/number-state.ts';
import { QueryHolds } from '../../../../src/durable/phone-number/queries.ts';
import { newNumberSql } from './number-sql.ts';

const now = Date.UTC(2026, 4, 10, 12);
const verb = 'contacts.check';

test('a question that the network limits rests for longer each time in a row, up to a quarter of an hour', () => {
  const state = new NumberState(newNumberSql());
  const waits = Array.from({ length: 8 }, () => (new QueryHolds(state).limited(verb, now) - now) / 1000);
  expect(waits).toEqual([30, 60, 120, 240, 480, 900, 900, 900]);
});

test('a question that the network has answered rests shortly again the next time, and others as before', () => {
  const holds = new QueryHolds(new NumberState(newNumberSql()));
  const other = 'profile.get';
  for (const limited of [verb, verb, other, other] as const) holds.limited(limited, now);
  holds.answered(verb);
  expect([holds.until(verb, now), holds.until(other, now)]).toEqual([null, now + 60_000]);
  expect(holds.limited(verb, now)).toBe(now + 30_000);
});

test('a question does not rest until a clock that was set back has caught up', () => {
  const holds = new QueryHolds(new NumberState(newNumberSql()));
  for (let times = 0; times < 8; times += 1) holds.limited(verb, now);
  expect(holds.until(verb, now)).toBe(now + 900_000);
  expect(holds.until(verb, now - 1)).toBeNull();
});
