import { readdirSync, readFileSync } from 'node:fs';
import { Sqlite } from './sqlite.ts';

/** With the migrations in it, once they have run. */
let migrated: Uint8Array | null = null;

/** D1 in Node, with the migrations of the product in it. `turn`: each query waits for it. */
export function d1Database(turn: () => Promise<void> = async () => {}) {
  const sqlite = new Sqlite();
  if (migrated === null) {
    for (const file of readdirSync('migrations')
      .filter((name) => name.endsWith('.sql'))
      .sort()) {
      sqlite.database.exec(readFileSync(`migrations/${file}`, 'utf8'));
    }
    migrated = sqlite.database.serialize();
  } else sqlite.database.deserialize(migrated);
  const statement = (query: string, values: unknown[] = []) => {
    const runNow = () => {
      const { rows, rowsWritten } = sqlite.run(query, values);
      return { success: true, results: rows, meta: { changes: rowsWritten } };
    };
    const run = async () => {
      await turn();
      return runNow();
    };
    return {
      bind: (...bound: unknown[]) => statement(query, bound),
      runNow,
      run,
      all: run,
      raw: async () => {
        await turn();
        return sqlite.rawRows(query, values);
      },
      first: async (column?: string) => {
        const [row] = (await run()).results;
        if (row === undefined) return null;
        return column === undefined ? row : row[column];
      },
    };
  };
  return {
    prepare: (query: string) => statement(query),
    batch: async (statements: ReturnType<typeof statement>[]) => {
      await turn();
      return sqlite.transactionSync(() => statements.map(({ runNow }) => runNow()));
    },
    exec: async (script: string) => sqlite.database.exec(script),
    withSession() {
      return this;
    },
  };
}
