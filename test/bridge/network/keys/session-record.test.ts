import { expect, test } from 'vitest';
import { bounded } from '../../../../src/session-bridge/network/keys/auth-state.ts';

const [sending, receiving, open] = [1, 2, -1];

const sessionWith = (closed: number, chains: Record<string, number>) => ({
  indexInfo: { closed },
  _chains: Object.fromEntries(Object.entries(chains).map(([key, chainType]) => [key, { chainType }])),
});

const range = (count: number) => Array.from({ length: count }, (_, index) => index);

test('of the sessions that were replaced the latest ten stay, and the open one wherever it stands', () => {
  const closed = range(15).map((at) => [`closed at ${at}`, sessionWith(at, { s: sending })]);
  const record = {
    version: 'v1',
    _sessions: Object.fromEntries([['open', sessionWith(open, { s: sending })], ...closed.reverse()]),
  };
  const { version, _sessions } = bounded(record);
  expect(version).toBe('v1');
  expect(Object.keys(_sessions).toSorted()).toEqual(
    ['open', ...range(15).map((at) => `closed at ${at}`)]
      .filter((_, index) => index === 0 || index > 5)
      .toSorted(),
  );
});

test('of the receiving chains of a session the latest ten stay, and the sending one', () => {
  const chains = { ...Object.fromEntries(range(12).map((turn) => [`turn ${turn}`, receiving])), s: sending };
  const { _sessions } = bounded({ _sessions: { one: sessionWith(open, chains) } });
  expect(Object.keys(_sessions.one._chains)).toEqual([...range(10).map((turn) => `turn ${turn + 2}`), 's']);
});

test('a record that is small enough stays as it is', () => {
  const record = { _sessions: { one: sessionWith(open, { r: receiving, s: sending }) } };
  expect(bounded(record)).toEqual(record);
  expect(bounded({ somethingElse: 1 })).toEqual({ somethingElse: 1 });
});
