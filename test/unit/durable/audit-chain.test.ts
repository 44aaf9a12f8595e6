import { expect, test } from 'vitest';
import { type ChainedEntry, chained, flawOf, genesisHash } from '../../../src/durable/audit-log/chain.ts';

const entryOf = (id: string) => ({
  id,
  at: 1_700_000_000_000,
  actor: 'user:1',
  actorName: 'Ada',
  action: 'api_key.created',
  target: 'api_key:1',
  targetName: 'Shop',
  address: '203.0.113.7',
  requestId: 'req_1',
});

const first = chained('account', entryOf('1'), null);
const second = chained('account', entryOf('2'), first);

test('an entry holds in its place, and in no other account', () => {
  expect(flawOf('account', first, 1, genesisHash)).toBeNull();
  expect(flawOf('account', second, 2, first.hash)).toBeNull();
  expect(flawOf('another', second, 2, first.hash)).toBe('changed');
});

test.each<keyof ChainedEntry>([
  ...(['id', 'at', 'actor', 'actorName', 'action', 'target', 'targetName', 'address', 'requestId'] as const),
  'previousHash',
])('an entry whose %s was changed does not hold', (field) => {
  expect(flawOf('account', { ...second, [field]: field === 'at' ? 1 : 'else' }, 2, first.hash)).toBe(
    'changed',
  );
});

test('an entry that was changed and hashed anew does not hold together with the one behind it', () => {
  const forged = chained('account', { ...entryOf('1'), actor: 'user:2' }, null);
  expect(flawOf('account', forged, 1, genesisHash)).toBeNull();
  expect(flawOf('account', second, 2, forged.hash)).toBe('changed');
});

test('behind an entry that was taken out something is missing', () => {
  expect(flawOf('account', second, 1, genesisHash)).toBe('missing_before');
});
