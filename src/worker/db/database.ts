import type { BatchItem } from 'drizzle-orm/batch';
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';
import { retryTransient } from './faults/transient-errors.ts';

export type Database = DrizzleD1Database;

export type Statement = BatchItem<'sqlite'>;

export const openDatabase = (binding: D1Database): Database => drizzle(binding);

/** D1 binds at most this many parameters a statement. */
const boundParametersMax = 100;

/** Slices that fit one statement when each item binds so many parameters. */
export function* slices<Item>(items: readonly Item[], parametersEach: number): Generator<Item[]> {
  const size = Math.floor(boundParametersMax / parametersEach);
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

/**
 * One transaction of all statements, in order; D1 knows no other. Repeated when the database was away for a moment,
 * so every statement must be safe to repeat: it may have run although no answer came.
 */
export async function batch(db: Database, statements: readonly Statement[]): Promise<unknown[]> {
  const [first, ...rest] = statements;
  return first === undefined ? [] : retryTransient(() => db.batch([first, ...rest]));
}
