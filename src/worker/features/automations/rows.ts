import { and, asc, eq, gt, inArray, or, type SQL, sql } from 'drizzle-orm';
import { automations } from '../../../database/schema.ts';
import { accountRows } from '../../db/account-rows.ts';
import { batch, type Database, untilNotOvertaken } from '../../db/database.ts';
import { raiseRevision } from '../account/rows/revision.ts';
import { type AuditContext, auditEntry } from '../audit-log/rows.ts';

export type AutomationRow = typeof automations.$inferSelect;
export type AutomationChanges = Partial<Pick<AutomationRow, 'name' | 'enabled' | 'definition'>>;

/** Rules of one account. */
export const automationsMax = 100;

const { own, find } = accountRows(automations);

export { find as findAutomation };

/** Behind all others; false when the account has as many as it may have. */
export async function insertAutomation(
  db: Database,
  row: Omit<AutomationRow, 'position'>,
  audit: AuditContext,
): Promise<AutomationRow | null> {
  const { accountId } = row;
  const count = sql`(select count(*) from automations where account_id = ${accountId})`;
  const last = sql`(select coalesce(max(position), -1) + 1 from automations where account_id = ${accountId})`;
  // In the order of the table's columns.
  const values = sql`select ${row.id}, ${accountId}, ${row.name}, ${row.enabled ? 1 : 0},
    ${JSON.stringify(row.definition)}, ${last}, ${row.sealedSecret}, null, null, ${row.createdAt}
    where ${count} < ${automationsMax}`;
  await batch(db, [
    db.insert(automations).select(values).onConflictDoNothing(),
    auditEntry(db, audit, 'automation.created', `automation:${row.id}`, row.name, true),
    raiseRevision(db, accountId),
  ]);
  return find(db, accountId, row.id);
}

/** In their order, one more than the page holds; `after`: the id of the last one of the page before. */
export async function listAutomations(
  db: Database,
  accountId: string,
  limit: number,
  after: string | undefined,
): Promise<AutomationRow[]> {
  const last = after === undefined ? null : await find(db, accountId, after);
  const behind: SQL | undefined =
    last === null
      ? undefined
      : or(
          gt(automations.position, last.position),
          and(eq(automations.position, last.position), gt(automations.id, last.id)),
        );
  return db
    .select()
    .from(automations)
    .where(and(eq(automations.accountId, accountId), behind))
    .orderBy(asc(automations.position), asc(automations.id))
    .limit(limit + 1);
}

/** As it was read: nobody has changed it meanwhile. */
const isStill = ({ name, enabled, definition }: AutomationRow) =>
  and(
    eq(automations.name, name),
    eq(automations.enabled, enabled),
    sql`${automations.definition} = ${JSON.stringify(definition)}`,
  );

/** Changes a rule as it was read; null where it is gone, or somebody else has changed it since. */
export async function updateAutomation(
  db: Database,
  row: AutomationRow,
  changes: AutomationChanges,
  audit: AuditContext,
): Promise<AutomationRow | null> {
  const after = { ...row, ...changes };
  const [updated] = await batch(db, [
    // A repeated batch finds its own change, and answers as it did the first time.
    db
      .update(automations)
      .set(changes)
      .where(and(own(row.accountId, row.id), or(isStill(row), isStill(after))))
      .returning(),
    auditEntry(db, audit, 'automation.updated', `automation:${row.id}`, after.name, true),
    raiseRevision(db, row.accountId),
  ]);
  return (updated as AutomationRow[])[0] ?? null;
}

/** Puts a rule in another place: those between move by one. False when it is gone. */
export function moveAutomation(
  db: Database,
  accountId: string,
  id: string,
  position: number,
  audit: AuditContext,
): Promise<boolean> {
  return untilNotOvertaken(async () => {
    const all = await db
      .select({ id: automations.id, name: automations.name })
      .from(automations)
      .where(eq(automations.accountId, accountId))
      .orderBy(asc(automations.position), asc(automations.id));
    const moved = all.find((one) => one.id === id);
    if (moved === undefined) return false;
    const others = all.filter((one) => one.id !== id);
    const order = others.toSpliced(Math.min(position, others.length), 0, moved).map((one) => one.id);
    const places = JSON.stringify(order);
    // Only where nobody has come or gone meanwhile.
    const isSame = sql`(select count(*) from automations where account_id = ${accountId}) = ${order.length}`;
    const [updated] = await batch(db, [
      db
        .update(automations)
        .set({
          position: sql`(select cast(key as integer) from json_each(${places}) where value = ${automations.id})`,
        })
        .where(
          and(
            eq(automations.accountId, accountId),
            inArray(automations.id, sql`(select value from json_each(${places}))`),
            isSame,
          ),
        )
        .returning({ id: automations.id }),
      auditEntry(db, audit, 'automation.moved', `automation:${id}`, moved.name, true),
      raiseRevision(db, accountId),
    ]);
    return (updated as unknown[]).length === order.length ? true : null;
  });
}

/** Puts a new secret in the place of the one that `row` holds; null when another rotation was quicker. */
export async function rotateAutomationSecret(
  db: Database,
  row: AutomationRow,
  sealedSecret: string,
  previousUntil: number,
  audit: AuditContext,
): Promise<AutomationRow | null> {
  const [rotated] = await batch(db, [
    db
      .update(automations)
      .set({ sealedSecret, previousSealedSecret: row.sealedSecret, previousSecretUntil: previousUntil })
      .where(
        and(own(row.accountId, row.id), inArray(automations.sealedSecret, [row.sealedSecret, sealedSecret])),
      )
      .returning(),
    auditEntry(db, audit, 'automation.secret_rotated', `automation:${row.id}`, row.name),
    raiseRevision(db, row.accountId),
  ]);
  return (rotated as AutomationRow[])[0] ?? null;
}

export async function deleteAutomation(db: Database, row: AutomationRow, audit: AuditContext): Promise<void> {
  await batch(db, [
    db.delete(automations).where(own(row.accountId, row.id)),
    auditEntry(db, audit, 'automation.deleted', `automation:${row.id}`, row.name),
    raiseRevision(db, row.accountId),
  ]);
}
