import { expect, test } from 'vitest';
import { defaultAccountSettings } from '../../../../src/contract/account-settings.ts';
import { openFilters } from '../../../../src/contract/numbers/sender-settings.ts';
import { StoredSnapshot } from '../../../../src/durable/account/configuration/configuration-source.ts';
import { KeyRing } from '../../../../src/durable/account/configuration/key-ring.ts';
import {
  blockedNumbersInMemoryMax,
  type Configuration,
  configurationOf,
} from '../../../../src/durable/account/configuration/snapshot.ts';
import { accountMigrations } from '../../../../src/durable/account/migrations.ts';
import { sqliteStorage } from '../campaign/sqlite-storage.ts';

test('the blocked numbers of an account have a bound in memory over all its numbers; those beyond it are asked of storage', () => {
  const listOf = (first: number) => Array.from({ length: 10_000 }, (_, index) => String(first + index));
  const lists = blockedNumbersInMemoryMax / 10_000 + 2;
  const senders = Array.from({ length: lists }, (_, index) => ({
    numberId: `n${index}`,
    inPool: true,
    filters: { ...openFilters, blockNumbers: listOf(index * 10_000) },
  }));
  const asked: string[] = [];
  const configuration = configurationOf(
    { revision: 1, plan: 'free', settings: defaultAccountSettings, keys: [], senders },
    (numberId, phoneNumber) => {
      asked.push(numberId);
      return (
        senders.find((it) => it.numberId === numberId)?.filters.blockNumbers.includes(phoneNumber) ?? false
      );
    },
  );
  for (const [index, { numberId }] of senders.entries()) {
    const filters = configuration.senders.get(numberId)?.filters;
    expect(filters?.refusing([String(index * 10_000 + 77)])).toEqual(['blockNumbers']);
    expect(filters?.refusing(['no such number'])).toEqual([]);
  }
  expect(new Set(asked)).toEqual(new Set([`n${lists - 2}`, `n${lists - 1}`]));
});

test('the last use of a key is forgotten with the key, in the next life too', () => {
  const { sql } = sqliteStorage();
  for (const step of accountMigrations) sql.exec(step.sql);
  const ring = new KeyRing(sql);
  for (const keyId of ['kept', 'gone']) ring.noteUse(keyId, 5_000);
  ring.sweep({ keysByHash: new Map([['hash', { id: 'kept' }]]) } as unknown as Configuration);
  for (const life of [ring, new KeyRing(sql)]) expect(life.usage()).toEqual({ kept: 5_000 });
});

test('the stored list of a number blocks at that number alone', () => {
  const storage = sqliteStorage();
  for (const { sql } of accountMigrations) storage.sql.exec(sql);
  const stored = new StoredSnapshot(storage as unknown as DurableObjectStorage);
  const senderOf = (numberId: string, blocked: string) => ({
    ...{ numberId, inPool: true },
    filters: { ...openFilters, blockNumbers: [blocked] },
  });
  const senders = [senderOf('a', '628111'), senderOf('b', '628222')];
  stored.write({ revision: 1, plan: 'free', settings: defaultAccountSettings, keys: [], senders });
  expect(['628111', '628222'].map((digits) => stored.isBlocked('a', digits))).toEqual([true, false]);
});
