import { and, desc, eq, lt, type SQL } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Database } from './database.ts';

/** Finds and lists the rows of a table of which each belongs to one account. */
export function accountRows<Table extends SQLiteTable & { id: SQLiteColumn; accountId: SQLiteColumn }>(
  table: Table,
) {
  type Row = Table['$inferSelect'];
  const from = (db: Database) => db.select().from(table as SQLiteTable);
  const own = (accountId: string, id: string) => and(eq(table.accountId, accountId), eq(table.id, id));
  return {
    /** The row with this id, if it is the account's. */
    own,

    async find(db: Database, accountId: string, id: string): Promise<Row | null> {
      return ((await from(db).where(own(accountId, id)).limit(1))[0] as Row | undefined) ?? null;
    },

    /** Newest first, one more than the page holds; `only`: what else must hold of them. */
    async list(
      db: Database,
      accountId: string,
      limit: number,
      before: string | undefined,
      only?: SQL,
    ): Promise<Row[]> {
      const isEarlier = before === undefined ? undefined : lt(table.id, before);
      return from(db)
        .where(and(eq(table.accountId, accountId), isEarlier, only))
        .orderBy(desc(table.id))
        .limit(limit + 1) as unknown as Promise<Row[]>;
    },
  };
}
