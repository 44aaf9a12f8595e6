import { expect, test } from 'vitest';
import type { NumberFact, VaultEntry } from '../../../src/contract/bridge-frames.ts';
import { SealError, seal, unseal } from '../../../src/session-bridge/vault/seal.ts';
import { makeVaultCache, Vault } from '../../../src/session-bridge/vault/vault.ts';

const vaultKey = Buffer.alloc(32, 3);
const numberId = '019a0000-0000-7000-8000-000000000001';

/** A vault whose edge answers when the test says so. */
function makeVault(stored: Record<string, string> = {}, cacheBytesMax = 1_000_000) {
  const journal: NumberFact[] = [];
  const asked: string[][] = [];
  const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
  const sealed = Object.entries(stored).map(
    ([key, json]): VaultEntry => ({ key, sealed: seal(vaultKey, numberId, key, json) }),
  );
  const vault = new Vault({
    numberId,
    vaultKey,
    cache: makeVaultCache(cacheBytesMax),
    journal: (fact) => journal.push(fact),
    beforeCommit: (action) => action(),
    fetch: async (keys) => {
      asked.push(keys);
      await mayAnswer;
      return keys.map((key) => sealed.find((entry) => entry.key === key) ?? { key, sealed: null });
    },
  });
  return { vault, journal, asked, answer };
}

test('a sealed entry opens only under its key, its number and its name', () => {
  const sealed = seal(vaultKey, numberId, 'creds', 'secret');
  expect(unseal(vaultKey, numberId, 'creds', sealed)).toBe('secret');
  expect(() => unseal(Buffer.alloc(32, 4), numberId, 'creds', sealed)).toThrow(SealError);
  expect(() => unseal(vaultKey, 'another', 'creds', sealed)).toThrow(SealError);
  expect(() => unseal(vaultKey, numberId, 'session/1', sealed)).toThrow(SealError);
  expect(() => unseal(vaultKey, numberId, 'creds', sealed.slice(0, 20))).toThrow(SealError);
});

test('two seals of one entry never look alike', () => {
  expect(seal(vaultKey, numberId, 'creds', 'same')).not.toBe(seal(vaultKey, numberId, 'creds', 'same'));
});

test('reads of one tick go to the edge as one request, and the next read needs none', async () => {
  const { vault, asked, answer } = makeVault({ a: '1' });
  answer();
  const [one, two] = await Promise.all([vault.read(['a', 'b']), vault.read(['b', 'c'])]);
  expect([one.get('a'), one.get('b'), two.get('c')]).toEqual(['1', null, null]);
  expect(asked).toEqual([['a', 'b', 'c']]);
  await vault.read(['a', 'b', 'c']);
  expect(asked).toHaveLength(1);
});

test('a value that the edge has not stored is served from memory however small the cache', async () => {
  const { vault, asked } = makeVault({ a: 'old' }, 1);
  vault.write([['a', 'new']]);
  expect((await vault.read(['a'])).get('a')).toBe('new');
  expect(asked).toEqual([]);
});

test('an answer that was under way when a newer value was written is not believed', async () => {
  const { vault, answer } = makeVault({ a: 'old' });
  const reading = vault.read(['a']);
  await Promise.resolve();
  vault.write([['a', 'new']]);
  vault.stored(1);
  answer();
  expect((await reading).get('a')).toBe('new');
  expect((await vault.read(['a'])).get('a')).toBe('new');
});

test('an acknowledgement releases only what was written up to it', async () => {
  const { vault, asked, answer } = makeVault({ a: 'at the edge' }, 1);
  vault.write([['a', 'first']]);
  vault.write([['a', 'second']]);
  vault.stored(1);
  expect((await vault.read(['a'])).get('a')).toBe('second');
  vault.stored(2);
  answer();
  await vault.read(['a']);
  expect(asked).toEqual([['a']]);
});

test('a pairing with its 812 keys is journalled in facts that stay well under the largest frame', () => {
  const { vault, journal } = makeVault();
  vault.write(Array.from({ length: 812 }, (_, index) => [`pre-key/${index}`, 'x'.repeat(2_000)]));
  expect(journal.length).toBeGreaterThan(1);
  for (const fact of journal) expect(JSON.stringify(fact).length).toBeLessThan(300 * 1024);
  expect(journal.flatMap((fact) => (fact.type === 'vault.put' ? fact.entries : []))).toHaveLength(812);
});
