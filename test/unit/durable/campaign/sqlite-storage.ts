import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { CampaignStorage } from '../../../../src/durable/campaign/store.ts';

/** The storage of an object, in memory, for what is tried in Node. */
export function sqliteStorage(): CampaignStorage {
  const database = new DatabaseSync(':memory:');
  let depth = 0;
  const exec = (query: string, ...values: SQLInputValue[]) => {
    const isScript = values.length === 0 && query.includes(';');
    if (isScript) database.exec(query);
    const rows = isScript ? [] : database.prepare(query).all(...values);
    return {
      toArray: () => rows,
      one: () => rows[0],
      // Read at once: it is of the last statement that changed something.
      rowsWritten: isScript ? 0 : changesOf(query),
      [Symbol.iterator]: () => rows[Symbol.iterator](),
    };
  };
  const changesOf = (query: string): number =>
    /^\s*(insert|update|delete)/i.test(query)
      ? Number(database.prepare('SELECT changes() AS n').get()?.n)
      : 0;
  const transactionSync = <Result>(work: () => Result): Result => {
    depth += 1;
    database.exec(`SAVEPOINT s${depth}`);
    try {
      const result = work();
      database.exec(`RELEASE s${depth}`);
      return result;
    } catch (error) {
      database.exec(`ROLLBACK TO s${depth}; RELEASE s${depth}`);
      throw error;
    } finally {
      depth -= 1;
    }
  };
  return { sql: { exec }, transactionSync } as unknown as CampaignStorage;
}
