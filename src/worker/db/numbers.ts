import { and, desc, eq, inArray, lt } from 'drizzle-orm';
import { numbers } from '../../database/schema.ts';
import { type AuditContext, auditEntry } from './audit-log.ts';
import { batch, type Database, slices } from './database.ts';
import { raiseRevision } from './revision.ts';

export type NumberRow = typeof numbers.$inferSelect;

const ownNumber = (accountId: string, id: string) =>
  and(eq(numbers.accountId, accountId), eq(numbers.id, id));

export async function insertNumber(db: Database, row: NumberRow, audit: AuditContext): Promise<void> {
  await batch(db, [
    db.insert(numbers).values(row).onConflictDoNothing(),
    auditEntry(db, audit, 'number.created', `number:${row.id}`, row.label),
    raiseRevision(db, row.accountId),
  ]);
}

export async function findNumber(db: Database, accountId: string, id: string): Promise<NumberRow | null> {
  return (await db.select().from(numbers).where(ownNumber(accountId, id)).limit(1))[0] ?? null;
}

/** Newest first, one more than the page holds. */
export function listNumbers(db: Database, accountId: string, limit: number, before: string | undefined) {
  return db
    .select()
    .from(numbers)
    .where(and(eq(numbers.accountId, accountId), before === undefined ? undefined : lt(numbers.id, before)))
    .orderBy(desc(numbers.id))
    .limit(limit + 1);
}

/** All numbers of the account, with their own pacing. */
export function numberPacings(db: Database, accountId: string) {
  return db
    .select({ id: numbers.id, pacing: numbers.pacing })
    .from(numbers)
    .where(eq(numbers.accountId, accountId));
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

export async function updateNumber(
  db: Database,
  row: NumberRow,
  changes: Partial<Pick<NumberRow, 'label' | 'inPool' | 'pacing' | 'filters'>>,
  audit: AuditContext,
): Promise<void> {
  if (Object.keys(changes).length === 0) return;
  await batch(db, [
    db.update(numbers).set(changes).where(ownNumber(row.accountId, row.id)),
    auditEntry(db, audit, 'number.updated', `number:${row.id}`, changes.label ?? row.label),
    raiseRevision(db, row.accountId),
  ]);
}

export async function deleteNumber(db: Database, row: NumberRow, audit: AuditContext): Promise<void> {
  await batch(db, [
    db.delete(numbers).where(ownNumber(row.accountId, row.id)),
    auditEntry(db, audit, 'number.deleted', `number:${row.id}`, row.label),
    raiseRevision(db, row.accountId),
  ]);
}
