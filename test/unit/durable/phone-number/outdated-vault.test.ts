import { expect, test } from 'vitest';
import { Vault } from '../../../../src/durable/phone-number/bridge/vault.ts';
import { phoneNumberMigrations } from '../../../../src/durable/phone-number/migrations.ts';
import { sqliteStorage } from '../campaign/sqlite-storage.ts';

test('what is not sealed under a key yet is counted and listed by where it begins, so that a key in use is never dropped', () => {
  const { sql } = sqliteStorage();
  for (const migration of phoneNumberMigrations) sql.exec(migration.sql);
  const vault = new Vault(sql);
  const [oldKey, newKey] = [Buffer.from([1, 1]), Buffer.from([2, 2])];
  const sealed = (key: Buffer) => Buffer.concat([key, Buffer.from('sealed')]).toString('base64');
  vault.put([
    { key: 'creds', sealed: sealed(newKey) },
    { key: 'session-1', sealed: sealed(oldKey) },
    { key: 'session-2', sealed: sealed(oldKey) },
  ]);
  expect(vault.countOutdated(newKey)).toBe(2);
  expect(vault.outdated(newKey, null).map(({ key }) => key)).toEqual(['session-1', 'session-2']);
  expect(vault.outdated(newKey, 'session-1').map(({ key }) => key)).toEqual(['session-2']);
  vault.put(['session-1', 'session-2'].map((key) => ({ key, sealed: sealed(newKey) })));
  expect(vault.countOutdated(newKey)).toBe(0);
  expect(vault.countOutdated(oldKey)).toBe(3);
});
