import type { BatchItem } from 'drizzle-orm/batch';
import { DrizzleQueryError } from 'drizzle-orm/errors';
import type { Database } from '../../database/open-database.ts';

export { openDatabase } from '../../database/open-database.ts';
export type { Database };

export type Statement = BatchItem<'sqlite'>;

/** D1 binds at most this many parameters a statement. */
const boundParametersMax = 100;

/** Slices that fit one statement when each item binds so many parameters. */
export function* slices<Item>(items: readonly Item[], parametersEach: number): Generator<Item[]> {
  const size = Math.floor(boundParametersMax / parametersEach);
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

/**
 * One transaction of all statements, in order; D1 has no other kind. It is repeated if the database was unavailable for a
 * moment. So every statement must be safe to repeat: it may have run although no response came.
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

/**
 * What a fault's log line may contain. The message of a failed query has its parameters (texts, numbers, hashes), so only the
 * database's own words are kept. Of every stack only the places are kept, since it repeats the message.
 */
export function faultMessage(error: unknown): { error: string; stack: string | null } {
  const told = error instanceof DrizzleQueryError ? (error.cause ?? 'a query failed') : error;
  if (!(told instanceof Error)) return { error: String(told), stack: null };
  const places = (told.stack ?? '').split('\n').filter((line) => line.trimStart().startsWith('at '));
  return { error: `${told.name}: ${told.message}`, stack: places.join('\n') || null };
}

/** How often a change is made anew before whoever writes at the same time is taken for a fault. */
const overtakenMax = 100;

/**
 * Makes a change that is based on what was just read, and repeats it while somebody else was quicker: then `attempt` resolves
 * to null. So of two changes of different fields none is lost.
 */
export async function untilNotOvertaken<Result>(attempt: () => Promise<Result | null>): Promise<Result> {
  for (let overtaken = 0; overtaken < overtakenMax; overtaken += 1) {
    const result = await attempt();
    if (result !== null) return result;
    await scheduler.wait(Math.random() * 10 * Math.min(overtaken + 1, 8));
  }
  throw new Error('a change was overtaken again and again');
}
