import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type LoginTurn, LoginTurns } from '../../../src/session-bridge/session/machine/login-turns.ts';

beforeEach(() => void vi.useFakeTimers({ now: new Date('2037-03-02T09:00:00Z') }));
afterEach(() => void vi.useRealTimers());

/** Logins that have begun, in this order; each is under way until its turn is ended. */
function loginsOf(turns: LoginTurns) {
  const begun: { name: string; turn: LoginTurn; afterMs: number }[] = [];
  const startedAt = Date.now();
  const ask = (name: string, isUrgent = false): LoginTurn => {
    const turn = turns.ask(isUrgent, () => begun.push({ name, turn, afterMs: Date.now() - startedAt }));
    return turn;
  };
  return { begun, ask, names: () => begun.map(({ name }) => name) };
}

const aWhile = () => vi.advanceTimersByTimeAsync(10_000);

test('as many log in at the same time as may, and the next when one of them is done', async () => {
  const { begun, ask, names } = loginsOf(new LoginTurns({ atOnce: 2, perSecond: 100 }));
  for (const name of ['first', 'second', 'third', 'fourth']) ask(name);
  await aWhile();
  expect(names()).toEqual(['first', 'second']);
  begun[1]?.turn.end();
  await aWhile();
  expect(names()).toEqual(['first', 'second', 'third']);
  begun[0]?.turn.end();
  await aWhile();
  expect(names()).toEqual(['first', 'second', 'third', 'fourth']);
});

test('logins of a second begin one after the other, evenly spread over it', async () => {
  const { begun, ask } = loginsOf(new LoginTurns({ atOnce: 100, perSecond: 4 }));
  for (let index = 0; index < 9; index += 1) ask(String(index));
  await aWhile();
  expect(begun.map(({ afterMs }) => afterMs)).toEqual([0, 250, 500, 750, 1_000, 1_250, 1_500, 1_750, 2_000]);
});

test('a login never begins within the call that asks for it', () => {
  const begin = vi.fn();
  new LoginTurns({ atOnce: 1, perSecond: 100 }).ask(false, begin);
  expect(begin).not.toHaveBeenCalled();
});

test('a login that is not wanted any more does not begin and holds up nobody', async () => {
  const { begun, ask, names } = loginsOf(new LoginTurns({ atOnce: 1, perSecond: 100 }));
  ask('at once').end();
  ask('first');
  await aWhile();
  const second = ask('second');
  ask('third');
  second.end();
  expect(names()).toEqual(['first']);
  begun[0]?.turn.end();
  await aWhile();
  expect(names()).toEqual(['first', 'third']);
});

test('a login that is urgent goes before those that are not, and the others in the order in which they asked', async () => {
  const { begun, ask, names } = loginsOf(new LoginTurns({ atOnce: 1, perSecond: 100 }));
  for (const name of ['first', 'second', 'third']) ask(name);
  ask('urgent', true);
  for (let index = 0; index < 4; index += 1) {
    await aWhile();
    begun[index]?.turn.end();
  }
  expect(names()).toEqual(['first', 'urgent', 'second', 'third']);
});
