import { expect, test } from 'vitest';
import type { VaultEntry } from '../../../src/contract/bridge/bridge-frames.ts';
import { NumberSeal } from '../../../src/session-bridge/vault/seal.ts';
import { makeVaultCache, Vault, type VaultCache } from '../../../src/session-bridge/vault/vault.ts';
import { VaultKeys } from '../../../src/session-bridge/vault/vault-keys.ts';

const keys = new VaultKeys(Buffer.alloc(32, 3));
const numberId = '019a0000-0000-7000-8000-000000000001';
const seal = new NumberSeal(keys, numberId);

/** A vault over what an edge holds, with what it asks of it. */
function vaultOver(atEdge: Map<string, string>, cache: VaultCache = makeVaultCache(1_000_000)) {
  const asked: string[][] = [];
  const edge = { isAway: false };
  const vault = new Vault({
    ...{ numberId, keys, cache },
    journal: () => 1,
    beforeCommit: (action) => action(),
    fetch: async (wanted): Promise<VaultEntry[]> => {
      asked.push(wanted);
      if (edge.isAway) throw new Error('the edge is away');
      return wanted.map((key) => {
        const plain = atEdge.get(key);
        return { key, sealed: plain === undefined ? null : seal.seal(key, plain) };
      });
    },
  });
  return { vault, asked, edge };
}

test('a vault that is opened again does not find what an earlier one of the same number has read', async () => {
  const cache = makeVaultCache(1_000_000);
  const atEdge = new Map([['creds', 'old']]);
  expect((await vaultOver(atEdge, cache).vault.read(['creds'])).get('creds')).toBe('old');
  // Another bridge has had the number meanwhile.
  atEdge.set('creds', 'new');
  expect((await vaultOver(atEdge, cache).vault.read(['creds'])).get('creds')).toBe('new');
});

test('a read that failed is tried again by the next one', async () => {
  const { vault, edge } = vaultOver(new Map([['creds', '1']]));
  edge.isAway = true;
  await expect(vault.read(['creds'])).rejects.toThrow('the edge is away');
  edge.isAway = false;
  expect((await vault.read(['creds'])).get('creds')).toBe('1');
});

test('however many keys are read at once, no request to the edge names more than a thousand', async () => {
  const names = Array.from({ length: 1_001 }, (_, index) => `pre-key/${index}`);
  const { vault, asked } = vaultOver(new Map(names.map((name) => [name, name])));
  expect([...(await vault.read(names)).values()]).toEqual(names);
  expect(asked.map((some) => some.length).toSorted((a, b) => b - a)).toEqual([1_000, 1]);
});
