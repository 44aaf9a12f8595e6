import { and, getTableColumns, or, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Refusal } from '../../../../contract/errors.ts';
import { accountRows } from '../../../db/account-rows.ts';
import { batch, type Database, type Statement, untilNotOvertaken } from '../../../db/database.ts';
import { type AuditContext, auditEntry } from '../../audit-log/rows.ts';
import { insertWhere } from './caps.ts';
import { raiseRevision } from './revision.ts';

interface Owned {
  id: string;
  accountId: string;
}

/**
 * Rows that people configure, one for each resource. Each change has its entry in the audit log, and the account's objects are
 * told. `kind` is the resource's kind in the audit log, and `nameOf` its name there. `fields` are the fields that can be
 * changed, and how a change by somebody else is recognised.
 */
export function configuredRows<
  Table extends SQLiteTable & { id: SQLiteColumn; accountId: SQLiteColumn; $inferSelect: Owned },
  Row extends Owned = Table['$inferSelect'],
>(
  table: Table,
  kind: string,
  nameOf: (row: NoInfer<Row>) => string | null,
  fields: readonly (keyof NoInfer<Row> & string)[] = [],
) {
  const rows = accountRows(table);
  const find = (db: Database, accountId: string, id: string) =>
    rows.find(db, accountId, id) as Promise<Row | null>;
  const columns = getTableColumns(table) as Record<string, SQLiteColumn>;
  const isStill = (row: Row) =>
    and(...fields.map((name) => sql`${columns[name]} is ${sql.param(row[name] ?? null, columns[name])}`));

  /** Makes a change, with its entry; what the statement returns. */
  async function change(
    row: Row,
    what: string,
    audit: AuditContext,
    statement: Statement,
    name = nameOf(row),
  ): Promise<Row[]> {
    const { db } = audit;
    const [changed] = await batch(db, [
      statement,
      auditEntry(audit, `${kind}.${what}`, `${kind}:${row.id}`, name, true),
      raiseRevision(db, row.accountId),
    ]);
    return changed as Row[];
  }

  /** Changes one; resolves it as it is then, or null where it is gone, or `only` does not hold of it any more. */
  async function update(
    row: Row,
    changes: Partial<Row>,
    audit: AuditContext,
    only?: SQL,
    what = 'updated',
  ): Promise<Row | null> {
    if (Object.keys(changes).length === 0) return row;
    const statement = audit.db
      .update(table)
      .set(changes as never)
      .where(and(rows.own(row.accountId, row.id), only))
      .returning();
    const name = nameOf({ ...row, ...changes }) ?? nameOf(row);
    const [updated] = await change(row, what, audit, statement, name);
    return updated ?? null;
  }

  /** As it was read: nobody has changed it meanwhile. A repeated batch finds its own change, and answers as it did the first time. */
  const unchanged = (row: Row, changes: Partial<Row>) => or(isStill(row), isStill({ ...row, ...changes }));

  return {
    own: rows.own,
    list: rows.list as (...of: Parameters<typeof rows.list>) => Promise<Row[]>,
    find,
    change,
    update,
    unchanged,

    /** While the account has fewer than `most` of them. */
    fewerThan: (accountId: string, most: number): SQL =>
      sql`(select count(*) from ${table} where account_id = ${accountId}) < ${most}`,

    /** Stores a new one; false where `condition` does not hold at that moment. */
    async insert(row: Row, audit: AuditContext, condition: SQL): Promise<boolean> {
      const { db } = audit;
      await change(row, 'created', audit, insertWhere(db, table, row, condition));
      return (await find(db, row.accountId, row.id)) !== null;
    },

    /** Changes one as `changesOf` makes it of what is stored at that moment; resolves it as it is then, or null when it is gone. */
    changeStored(
      accountId: string,
      id: string,
      audit: AuditContext,
      changesOf: (current: Row) => { ok: true; value: Partial<Row> } | Refusal,
    ): Promise<{ ok: true; row: Row } | Refusal | { ok: null }> {
      return untilNotOvertaken(async () => {
        const current = await find(audit.db, accountId, id);
        if (current === null) return { ok: null };
        const changes = changesOf(current);
        if (!changes.ok) return changes;
        const row = await update(current, changes.value, audit, unchanged(current, changes.value));
        return row === null ? null : { ok: true, row };
      });
    },

    async delete(row: Row, audit: AuditContext): Promise<void> {
      await change(row, 'deleted', audit, audit.db.delete(table).where(rows.own(row.accountId, row.id)));
    },
  };
}
