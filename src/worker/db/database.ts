import type { BatchItem } from 'drizzle-orm/batch';
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';
import { retryTransient } from './transient-errors.ts';

export type Database = DrizzleD1Database;

/**
 * A statement that depends on what is stored: built right before its batch. When something else was stored in between,
 * the batch fails with an error that `isOvertaken` knows, and is built and run anew.
 */
export interface LateStatement {
  /** Resolves what makes the statement; not the statement itself, since to await one is to run it. */
  build(): Promise<() => BatchItem<'sqlite'>>;
  isOvertaken(error: unknown): boolean;
}
export type Statement = BatchItem<'sqlite'> | LateStatement;

export const openDatabase = (binding: D1Database): Database => drizzle(binding);

/** D1 binds at most this many parameters a statement. */
const boundParametersMax = 100;

/** Slices that fit one statement when each item binds so many parameters. */
export function* slices<Item>(items: readonly Item[], parametersEach: number): Generator<Item[]> {
  const size = Math.floor(boundParametersMax / parametersEach);
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

/** How often a batch is built anew before whoever writes at the same time is taken for a fault. */
const overtakenMax = 40;
const isLate = (statement: Statement): statement is LateStatement => 'isOvertaken' in statement;

/**
 * One transaction of all statements, in order; D1 knows no other. Repeated when the database was away for a moment,
 * so every statement must be safe to repeat: it may have run although no answer came.
 */
export async function batch(db: Database, statements: readonly Statement[]): Promise<unknown[]> {
  const late = statements.filter(isLate);
  for (let overtaken = 0; ; overtaken += 1) {
    const making = statements.map((it) => (isLate(it) ? it.build() : () => it));
    const [first, ...rest] = (await Promise.all(making)).map((make) => make());
    if (first === undefined) return [];
    try {
      return await retryTransient(() => db.batch([first, ...rest]));
    } catch (error) {
      if (overtaken === overtakenMax || !late.some((it) => it.isOvertaken(error))) throw error;
      await scheduler.wait(Math.random() * 10 * Math.min(overtaken + 1, 8));
    }
  }
}
