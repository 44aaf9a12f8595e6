import { and, eq, inArray, or, sql } from 'drizzle-orm';
import type { Refusal } from '../../../contract/errors.ts';
import { accounts, numbers } from '../../../database/schema.ts';
import { accountRows } from '../../db/account-rows.ts';
import { batch, type Database, slices, untilNotOvertaken } from '../../db/database.ts';
import { insertWhileFewer } from '../account/rows/caps.ts';
import { raiseRevision } from '../account/rows/revision.ts';
import { type AuditContext, auditEntry } from '../audit-log/rows.ts';

export type NumberRow = typeof numbers.$inferSelect;

const { own, find, list } = accountRows(numbers);

export { find as findNumber };

/** Newest first, one more than the page holds; `only`: this one alone. */
export const listNumbers = (
  db: Database,
  accountId: string,
  limit: number,
  before?: string,
  only: string | null = null,
) => list(db, accountId, limit, before, only === null ? undefined : eq(numbers.id, only));

/** False when the account has `most` of them. */
export async function insertNumber(
  db: Database,
  row: NumberRow,
  audit: AuditContext,
  most: number | null,
): Promise<boolean> {
  await batch(db, [
    insertWhileFewer(db, numbers, row, 'numbers', most),
    auditEntry(db, audit, 'number.created', `number:${row.id}`, row.label, true),
    raiseRevision(db, row.accountId),
  ]);
  return (await find(db, row.accountId, row.id)) !== null;
}

/**
 * The account's numbers, or one of them, with their own settings as they are now; `revision` is the account's at the same
 * moment, by which a number knows the newer of two.
 */
export function numberSettings(db: Database, accountId: string, id?: string) {
  return db
    .select({
      id: numbers.id,
      pacing: numbers.pacing,
      session: numbers.session,
      revision: accounts.revision,
    })
    .from(numbers)
    .innerJoin(accounts, eq(accounts.id, numbers.accountId))
    .where(and(eq(numbers.accountId, accountId), id === undefined ? undefined : eq(numbers.id, id)));
}

/** Those of the ids that are no numbers of this account. */
export async function foreignNumbers(
  db: Database,
  accountId: string,
  ids: readonly string[],
): Promise<string[]> {
  const known = new Set<string>();
  // The account's id is a parameter too.
  for (const slice of slices(ids, 2)) {
    const rows = await db
      .select({ id: numbers.id })
      .from(numbers)
      .where(and(eq(numbers.accountId, accountId), inArray(numbers.id, slice)));
    for (const { id } of rows) known.add(id);
  }
  return ids.filter((id) => !known.has(id));
}

type NumberChanges = Partial<
  Pick<NumberRow, 'label' | 'inPool' | 'pacing' | 'filters' | 'session' | 'teamIds'>
>;

/** As it was read: nobody has changed it meanwhile. */
const isStill = ({ label, inPool, pacing, filters, session, teamIds }: NumberRow) =>
  and(
    eq(numbers.label, label),
    eq(numbers.inPool, inPool),
    sql`${numbers.pacing} is ${pacing && JSON.stringify(pacing)}`,
    sql`${numbers.filters} is ${filters && JSON.stringify(filters)}`,
    sql`${numbers.session} is ${session && JSON.stringify(session)}`,
    sql`${numbers.teamIds} is ${teamIds && JSON.stringify(teamIds)}`,
  );

/** Changes a number as `change` makes it of what is stored at that moment; resolves it as it is then, or null when it is gone. */
export function changeNumber(
  db: Database,
  accountId: string,
  id: string,
  audit: AuditContext,
  change: (row: NumberRow) => { ok: true; value: NumberChanges } | Refusal,
): Promise<{ ok: true; row: NumberRow } | Refusal | { ok: null }> {
  return untilNotOvertaken(async () => {
    const row = await find(db, accountId, id);
    if (row === null) return { ok: null };
    const changed = change(row);
    if (!changed.ok) return changed;
    const changes = changed.value;
    if (Object.keys(changes).length === 0) return { ok: true, row };
    const after = { ...row, ...changes };
    const [written] = await batch(db, [
      // A repeated batch finds its own change, and answers as it did the first time.
      db
        .update(numbers)
        .set(changes)
        .where(and(own(accountId, id), or(isStill(row), isStill(after))))
        .returning({ id: numbers.id }),
      auditEntry(db, audit, 'number.updated', `number:${id}`, after.label, true),
      raiseRevision(db, accountId),
    ]);
    return (written as unknown[]).length > 0 ? { ok: true, row: after } : null;
  });
}

export async function deleteNumber(db: Database, row: NumberRow, audit: AuditContext): Promise<void> {
  await batch(db, [
    db.delete(numbers).where(own(row.accountId, row.id)),
    auditEntry(db, audit, 'number.deleted', `number:${row.id}`, row.label),
    raiseRevision(db, row.accountId),
  ]);
}
