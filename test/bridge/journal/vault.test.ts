import { expect, test } from 'vitest';
import type { NumberFact, VaultEntry } from '../../../src/contract/bridge/bridge-frames.ts';
import { NumberSeal } from '../../../src/session-bridge/vault/seal.ts';
import { makeVaultCache, Vault } from '../../../src/session-bridge/vault/vault.ts';
import { VaultKeys } from '../../../src/session-bridge/vault/vault-keys.ts';

const keys = new VaultKeys(Buffer.alloc(32, 3));
const numberId = '019a0000-0000-7000-8000-000000000001';
const seal = new NumberSeal(keys, numberId);

/** A vault whose edge answers when the test says so. */
function makeVault(stored: Record<string, string> = {}, cacheBytesMax = 1_000_000) {
  const journal: NumberFact[] = [];
  const asked: string[][] = [];
  const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
  const sealed = Object.entries(stored).map(
    ([key, json]): VaultEntry => ({ key, sealed: seal.seal(key, json) }),
  );
  const vault = new Vault({
    numberId,
    keys,
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

test('reads of one turn go to the edge as one request, and the next read needs none', async () => {
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
  // Each is filled before the next one begins.
  expect(journal.length).toBeLessThan(15);
  expect(journal.flatMap((fact) => (fact.type === 'vault.put' ? fact.entries : []))).toHaveLength(812);
});

/** What the edge would hold after these facts. */
function stored(journal: NumberFact[]): Map<string, string> {
  const entries = new Map<string, string>();
  for (const fact of journal) {
    for (const { key, sealed } of fact.type === 'vault.put' ? fact.entries : []) {
      if (sealed === null) entries.delete(key);
      else entries.set(key, seal.open(key, sealed));
    }
  }
  return entries;
}

const addressBook = (names: number) =>
  JSON.stringify(
    Object.fromEntries(Array.from({ length: names }, (_, id) => [`contact ${id}`, '😀'.repeat(40)])),
  );

test('an entry of several MiB is stored in parts, in facts under the largest frame, and read back whole', async () => {
  const { vault, journal } = makeVault();
  const json = addressBook(20_000);
  vault.write([['book', json]]);
  for (const fact of journal) expect(Buffer.byteLength(JSON.stringify(fact))).toBeLessThan(300 * 1024);
  const other = makeVault(Object.fromEntries(stored(journal)));
  other.answer();
  expect((await other.vault.read(['book'])).get('book')).toBe(json);
  for (const keys of other.asked) expect(keys.length).toBeLessThan(4);
});

test('of a large entry only the parts that changed are written again, and what is outdated goes behind the new list', async () => {
  const { vault, journal } = makeVault();
  const json = addressBook(5_000);
  vault.write([['book', json]]);
  const written = journal.length;
  const changed = json.replace('contact 7"', 'kontakt 7"');
  vault.write([['book', changed]]);
  const entries = journal.slice(written).flatMap((fact) => (fact.type === 'vault.put' ? fact.entries : []));
  expect(entries.map(({ sealed }) => sealed !== null)).toEqual([true, true, false]);
  expect(entries[1]?.key).toBe('book');
  const other = makeVault(Object.fromEntries(stored(journal)));
  other.answer();
  expect((await other.vault.read(['book'])).get('book')).toBe(changed);
});

test('a large entry that becomes small or goes leaves none of its parts behind, and is whole when it is large again', async () => {
  const { vault, journal } = makeVault();
  vault.write([['book', addressBook(5_000)]]);
  vault.write([['book', '{}']]);
  expect([...stored(journal)]).toEqual([['book', '{}']]);
  vault.write([['book', addressBook(5_000)]]);
  const other = makeVault(Object.fromEntries(stored(journal)));
  other.answer();
  expect((await other.vault.read(['book'])).get('book')).toBe(addressBook(5_000));
  vault.write([['book', null]]);
  expect([...stored(journal)]).toEqual([]);
});

test('a list whose part is lost is an error, and no shorter entry', async () => {
  const { vault, journal } = makeVault();
  vault.write([['book', addressBook(5_000)]]);
  const entries = stored(journal);
  const part = [...entries.keys()].find((key) => key.startsWith('part/'));
  entries.delete(part ?? '');
  const other = makeVault(Object.fromEntries(entries));
  other.answer();
  await expect(other.vault.read(['book'])).rejects.toThrow('lacks a part');
});
