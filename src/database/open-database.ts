import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';

export type Database = DrizzleD1Database;

/** One a binding: each would learn the names of all columns anew. */
const opened = new WeakMap<D1Database, Database>();

/** D1, with the queries of `schema.ts` and its neighbours. */
export function openDatabase(binding: D1Database): Database {
  let database = opened.get(binding);
  if (database === undefined) {
    database = drizzle(binding);
    opened.set(binding, database);
  }
  return database;
}
