import { and, asc, eq, gt, inArray, or, type SQL, sql } from 'drizzle-orm';
import { automations } from '../../../database/schema.ts';
import { type Database, untilNotOvertaken } from '../../db/database.ts';
import { configuredRows } from '../account/rows/configured-rows.ts';
import type { AuditContext } from '../audit-log/rows.ts';

export type AutomationRow = typeof automations.$inferSelect;

/** Rules of one account. */
export const automationsMax = 100;

const rows = configuredRows(automations, 'automation', ({ name }) => name, ['name', 'enabled', 'definition']);

export const { find: findAutomation, delete: deleteAutomation } = rows;

/** The stored files that rules reply with, of all accounts. */
export const filesOfRules = (db: Database): Promise<{ accountId: string; mediaId: string }[]> =>
  db.all(sql`select distinct account_id as accountId, action.value ->> '$.media.mediaId' as mediaId
    from automations, json_each(automations.definition, '$.actions') as action
    where action.value ->> '$.media.mediaId' is not null`);

/** Behind all others; false when the account has as many as it may have. */
export async function insertAutomation(
  row: Omit<AutomationRow, 'position'>,
  audit: AuditContext,
): Promise<AutomationRow | null> {
  const { db } = audit;
  const { accountId } = row;
  const last = sql`(select coalesce(max(position), -1) + 1 from automations where account_id = ${accountId})`;
  // In the order of the table's columns.
  const values = sql`select ${row.id}, ${accountId}, ${row.name}, ${row.enabled ? 1 : 0},
    ${JSON.stringify(row.definition)}, ${last}, ${row.sealedSecret}, null, null, ${row.createdAt}
    where ${rows.fewerThan(accountId, automationsMax)}`;
  const insert = db.insert(automations).select(values).onConflictDoNothing();
  await rows.change({ ...row, position: 0 }, 'created', audit, insert);
  return rows.find(db, accountId, row.id);
}

/** In their order, one more than the page holds; `after`: the id of the last one of the page before. */
export async function listAutomations(
  db: Database,
  accountId: string,
  limit: number,
  after: string | undefined,
): Promise<AutomationRow[]> {
  const last = after === undefined ? null : await rows.find(db, accountId, after);
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

/** Changes a rule as it was read; null where it is gone, or somebody else has changed it since. */
export const updateAutomation = (row: AutomationRow, changes: Partial<AutomationRow>, audit: AuditContext) =>
  rows.update(row, changes, audit, rows.unchanged(row, changes));

/** Puts a rule in another place: those between move by one. False when it is gone. */
export function moveAutomation(
  accountId: string,
  id: string,
  position: number,
  audit: AuditContext,
): Promise<boolean> {
  const { db } = audit;
  return untilNotOvertaken(async () => {
    const all = await db
      .select()
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
    const move = db
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
      .returning();
    const updated = await rows.change(moved, 'moved', audit, move);
    return updated.length === order.length ? true : null;
  });
}

/** Puts a new secret in the place of the one that `row` holds; null when another rotation was quicker. */
export function rotateAutomationSecret(
  row: AutomationRow,
  sealedSecret: string,
  previousSecretUntil: number,
  audit: AuditContext,
) {
  const changes = { sealedSecret, previousSealedSecret: row.sealedSecret, previousSecretUntil };
  const isAsRead = inArray(automations.sealedSecret, [row.sealedSecret, sealedSecret]);
  return rows.update(row, changes, audit, isAsRead, 'secret_rotated');
}
