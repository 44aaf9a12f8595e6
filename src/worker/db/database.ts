import type { BatchItem } from 'drizzle-orm/batch';
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';

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

const attemptsMax = 5;
const firstWaitMs = 50;

/** What D1 says when the database was away for a moment; everything else is no better the second time. */
const transientMessages = [
  'Network connection lost',
  'storage caused object to be reset',
  'reset because its code was updated',
  'starting up',
  'internal error',
  'overloaded',
  'timeout',
];

/** Whether the same statement may well succeed a moment later. */
export function isTransient(error: unknown): boolean {
  const text: string[] = [];
  for (let it = error; it instanceof Error; it = it.cause) text.push(it.message);
  return transientMessages.some((message) => text.join('\n').toLowerCase().includes(message.toLowerCase()));
}

/** Runs what is safe to repeat up to five times, with full-jitter waits that double (at most 50, 100, 200, 400 ms). */
export async function retryTransient<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (attempt === attemptsMax || !isTransient(error)) throw error;
      await scheduler.wait(Math.random() * firstWaitMs * 2 ** (attempt - 1));
    }
  }
}
