import { phoneNumberMigrations } from '../../../../src/durable/phone-number/migrations.ts';
import { sqliteStorage } from '../campaign/sqlite-storage.ts';

/** The storage of a number's object with its tables, in memory. */
export function newNumberStorage(): DurableObjectStorage {
  const storage = sqliteStorage() as unknown as DurableObjectStorage;
  for (const migration of phoneNumberMigrations) storage.sql.exec(`${migration.sql};`);
  return storage;
}

/** Its tables alone. */
export function newNumberSql(): SqlStorage {
  return newNumberStorage().sql;
}
