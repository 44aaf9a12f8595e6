import { expect, test } from 'vitest';
import { PeopleFirst } from '../../../../src/durable/account/admission/send-as.ts';
import { accountMigrations } from '../../../../src/durable/account/migrations.ts';
import { sqliteStorage } from '../campaign/sqlite-storage.ts';

const now = Date.UTC(2026, 4, 10, 12);
const to = '628111222333';

test('a person has come first who has written from the same number since a machine began to think, for a day', () => {
  const { sql } = sqliteStorage();
  for (const migration of accountMigrations) sql.exec(migration.sql);
  const people = new PeopleFirst(sql);
  people.note(to, 'number', now);
  people.note(to, 'number', now - 1_000);
  expect(people.hasSince(to, 'number', now)).toBe(true);
  expect(people.hasSince(to, 'number', now + 1)).toBe(false);
  expect(people.hasSince(to, 'another', now)).toBe(false);
  expect(people.hasSince('628444555666', 'number', now)).toBe(false);
  people.sweep(now + 86_400_000);
  expect(people.hasSince(to, 'number', now)).toBe(true);
  people.sweep(now + 86_400_001);
  expect(people.hasSince(to, 'number', now)).toBe(false);
});
