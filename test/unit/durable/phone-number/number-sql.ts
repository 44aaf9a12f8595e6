import { phoneNumberMigrations } from '../../../../src/durable/phone-number/migrations.ts';
import { sqliteStorage } from '../campaign/sqlite-storage.ts';

/** The tables of a number's object, in memory. */
export function newNumberSql(): SqlStorage {
  const { sql } = sqliteStorage();
  for (const migration of phoneNumberMigrations) sql.exec(`${migration.sql};`);
  return sql;
}
