import { expect, test } from 'vitest';
import type { NumberFact, VaultEntry } from '../../../src/contract/bridge/bridge-frames.ts';
import { type Log, makeLog } from '../../../src/session-bridge/logging.ts';
import { NumberSeal } from '../../../src/session-bridge/vault/seal.ts';
import { type AgingVault, SealingAnew } from '../../../src/session-bridge/vault/sealing-anew.ts';
import { makeVaultCache, Vault } from '../../../src/session-bridge/vault/vault.ts';
import { VaultKeys } from '../../../src/session-bridge/vault/vault-keys.ts';

const numberId = '019a0000-0000-7000-8000-000000000001';
const [before, now] = [Buffer.alloc(32, 3), Buffer.alloc(32, 4)];
const earlier = new NumberSeal(new VaultKeys(before), numberId);
const today = new NumberSeal(new VaultKeys(now), numberId);

/** A vault with both keys, and what the edge holds of it; `atOnce` entries an answer. */
function makeVault(entries: [key: string, plain: string][], atOnce = 2) {
  const atEdge = new Map(entries.map(([key, plain]) => [key, earlier.seal(key, plain)]));
  const journal: NumberFact[] = [];
  const store = () => {
    for (const fact of journal.splice(0)) {
      for (const { key, sealed } of fact.type === 'vault.put' ? fact.entries : []) {
        if (sealed === null) atEdge.delete(key);
        else atEdge.set(key, sealed);
      }
    }
  };
  const vault = new Vault({
    numberId,
    keys: new VaultKeys(now, before),
    cache: makeVaultCache(1_000_000),
    journal: (fact) => journal.push(fact),
    beforeCommit: (action) => action(),
    fetch: async (keys) => keys.map((key) => ({ key, sealed: atEdge.get(key) ?? null })),
  });
  const asked: (string | null)[] = [];
  let isInUse = true;
  const aging: AgingVault = {
    numberId,
    isInUse: () => isInUse,
    sealAnew: (found) => vault.sealAnew(found),
    outdated: async (after) => {
      store();
      asked.push(after);
      return [...atEdge]
        .filter(([key, sealed]) => key > (after ?? '') && !sealed.startsWith(vault.beginning.slice(0, 6)))
        .map(([key, sealed]): VaultEntry => ({ key, sealed }))
        .toSorted((a, b) => (a.key < b.key ? -1 : 1))
        .slice(0, atOnce);
    },
  };
  const setInUse = (is: boolean) => {
    isInUse = is;
  };
  return { vault, aging, atEdge, asked, store, setInUse };
}

const renewer = () => new SealingAnew(makeLog('silent'));
const addressBook = JSON.stringify(Array.from({ length: 10_000 }, (_, id) => `contact ${id}`));

test('all that the edge holds under the earlier key is sealed anew, also what nobody reads, bit by bit', async () => {
  const { aging, atEdge, asked } = makeVault([
    ['creds', '1'],
    ['session/1', '2'],
    ['session/2', '3'],
  ]);
  const sealing = renewer();
  sealing.ask(aging);
  await expect.poll(() => sealing.isDone(aging)).toBe(true);
  expect([...atEdge].map(([key, sealed]) => today.open(key, sealed))).toEqual(['1', '2', '3']);
  expect(asked).toEqual([null, 'session/1', 'session/2']);
  sealing.ask(aging);
  expect(asked).toHaveLength(3);
});

test('what is being written is left alone: it is newer than what the edge said', async () => {
  const { vault, aging, atEdge, store } = makeVault([
    ['creds', 'old'],
    ['session/1', 'gone soon'],
  ]);
  const found = (await aging.outdated(null)) ?? [];
  vault.write([
    ['creds', 'new'],
    ['session/1', null],
  ]);
  aging.sealAnew(found);
  store();
  expect([...atEdge].map(([key, sealed]) => [key, today.open(key, sealed)])).toEqual([['creds', 'new']]);
});

test('a large entry stays readable, and the parts that a newer one has replaced do not come back', async () => {
  const parts = makeVault([]);
  parts.vault.write([['book', addressBook]]);
  parts.store();
  const plain = [...parts.atEdge].map(([key, sealed]): [string, string] => [key, today.open(key, sealed)]);
  expect(plain.length).toBeGreaterThan(2);
  const { vault, aging, atEdge, store } = makeVault(plain, 100);
  const found = (await aging.outdated(null)) ?? [];
  aging.sealAnew(found);
  store();
  expect(await vault.read(['book'])).toEqual(new Map([['book', addressBook]]));
  vault.write([['book', '[]']]);
  aging.sealAnew(found);
  store();
  expect([...atEdge].map(([key, sealed]) => [key, today.open(key, sealed)])).toEqual([['book', '[]']]);
});

test('an entry that no key opens stays as it is, and holds up none of the others', async () => {
  const { aging, atEdge } = makeVault([['session/1', '2']]);
  const strange = new NumberSeal(new VaultKeys(Buffer.alloc(32, 5)), numberId).seal('creds', '1');
  atEdge.set('creds', strange);
  const sealing = renewer();
  sealing.ask(aging);
  await expect.poll(() => sealing.isDone(aging)).toBe(true);
  expect(atEdge.get('creds')).toBe(strange);
  expect(today.open('session/1', atEdge.get('session/1') ?? '')).toBe('2');
});

test('a vault that its session has left is not written, and goes on when it is in use again', async () => {
  const { aging, atEdge, setInUse, asked } = makeVault([['creds', '1']]);
  const sealing = renewer();
  setInUse(false);
  sealing.ask(aging);
  const another = makeVault([['creds', '1']]);
  sealing.ask(another.aging);
  await expect.poll(() => sealing.isDone(another.aging)).toBe(true);
  expect([sealing.isDone(aging), asked]).toEqual([false, []]);
  expect(earlier.open('creds', atEdge.get('creds') ?? '')).toBe('1');
  setInUse(true);
  sealing.ask(aging);
  await expect.poll(() => sealing.isDone(aging)).toBe(true);
  expect(today.open('creds', atEdge.get('creds') ?? '')).toBe('1');
});

test('a vault that its session leaves while the edge is asked is not written', async () => {
  const { aging, atEdge, setInUse, store } = makeVault([['creds', '1']]);
  const sealing = renewer();
  let isWritten = false;
  sealing.ask({
    ...aging,
    outdated: async (after) => {
      setInUse(false);
      return aging.outdated(after);
    },
    sealAnew: (found) => {
      isWritten = true;
      return aging.sealAnew(found);
    },
  });
  const another = makeVault([['creds', '1']]);
  sealing.ask(another.aging);
  await expect.poll(() => sealing.isDone(another.aging)).toBe(true);
  store();
  expect(isWritten).toBe(false);
  expect(earlier.open('creds', atEdge.get('creds') ?? '')).toBe('1');
});

test('a vault of which the edge cannot be asked, or that fails, is not done and holds up no other, and goes on when it is asked for again', async () => {
  const [away, broken, well] = [
    makeVault([['creds', '1']]),
    makeVault([['creds', '1']]),
    makeVault([['creds', '1']]),
  ];
  const failing: AgingVault = {
    ...broken.aging,
    outdated: () => Promise.reject(new Error('the link broke')),
  };
  const unasked: AgingVault = { ...away.aging, outdated: async () => null };
  const sealing = renewer();
  for (const aging of [unasked, failing, well.aging]) sealing.ask(aging);
  await expect.poll(() => sealing.isDone(well.aging)).toBe(true);
  expect([unasked, failing].map((aging) => sealing.isDone(aging))).toEqual([false, false]);
  failing.outdated = broken.aging.outdated;
  unasked.outdated = away.aging.outdated;
  for (const aging of [unasked, failing]) sealing.ask(aging);
  await expect.poll(() => [unasked, failing].every((aging) => sealing.isDone(aging))).toBe(true);
  expect(today.open('creds', away.atEdge.get('creds') ?? '')).toBe('1');
});

test('the log says how many entries were sealed anew, and how many no key opens', async () => {
  const { aging, atEdge } = makeVault([
    ['session/1', '1'],
    ['session/2', '2'],
  ]);
  atEdge.set('creds', new NumberSeal(new VaultKeys(Buffer.alloc(32, 5)), numberId).seal('creds', '1'));
  const said: unknown[] = [];
  const log = { info: (fields: object, event: string) => said.push({ ...fields, event }) };
  const sealing = new SealingAnew(log as unknown as Log);
  sealing.ask(aging);
  await expect.poll(() => sealing.isDone(aging)).toBe(true);
  expect(said).toEqual([{ numberId, entries: 2, unreadable: 1, event: 'vault.sealed_anew' }]);
});
