import { and, eq, sql } from 'drizzle-orm';
import { assistants } from '../../../database/assistants-schema.ts';
import { accountRows } from '../../db/account-rows.ts';
import { batch, type Database } from '../../db/database.ts';
import { insertWhere } from '../account/rows/caps.ts';
import { raiseRevision } from '../account/rows/revision.ts';
import { type AuditContext, auditEntry } from '../audit-log/rows.ts';

export type AssistantRow = typeof assistants.$inferSelect;
export type AssistantChanges = Partial<Omit<AssistantRow, 'id' | 'accountId' | 'createdAt' | 'updatedAt'>>;

/** Assistants of one account. */
export const assistantsMax = 50;

const { own, find, list } = accountRows(assistants);

export { find as findAssistant, list as listAssistants };

/** False when the account has as many as there may be. */
export async function insertAssistant(
  db: Database,
  row: AssistantRow,
  audit: AuditContext,
): Promise<boolean> {
  const count = sql`(select count(*) from assistants where account_id = ${row.accountId})`;
  await batch(db, [
    insertWhere(db, assistants, row, sql`${count} < ${assistantsMax}`),
    auditEntry(db, audit, 'assistant.created', `assistant:${row.id}`, row.name, true),
    raiseRevision(db, row.accountId),
  ]);
  return (await find(db, row.accountId, row.id)) !== null;
}

/** What the account's assistants are called. */
export async function namesOfAssistants(
  db: Database,
  accountId: string,
): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .select({ id: assistants.id, name: assistants.name })
    .from(assistants)
    .where(eq(assistants.accountId, accountId));
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** As it is then, or null where it is gone, or where its secrets were changed since `row` was read. */
export async function updateAssistant(
  db: Database,
  row: AssistantRow,
  changes: AssistantChanges,
  audit: AuditContext,
): Promise<AssistantRow | null> {
  if (Object.keys(changes).length === 0) return row;
  const { sealedSecrets } = changes;
  const isSameSecret = sql`(${assistants.sealedSecrets} is ${row.sealedSecrets} or ${assistants.sealedSecrets} is ${sealedSecrets ?? null})`;
  const [updated] = await batch(db, [
    db
      .update(assistants)
      .set({ ...changes, updatedAt: Date.now() })
      .where(and(own(row.accountId, row.id), sealedSecrets === undefined ? undefined : isSameSecret))
      .returning(),
    auditEntry(db, audit, 'assistant.updated', `assistant:${row.id}`, changes.name ?? row.name, true),
    raiseRevision(db, row.accountId),
  ]);
  return (updated as AssistantRow[])[0] ?? null;
}

export async function deleteAssistant(db: Database, row: AssistantRow, audit: AuditContext): Promise<void> {
  await batch(db, [
    db.delete(assistants).where(own(row.accountId, row.id)),
    auditEntry(db, audit, 'assistant.deleted', `assistant:${row.id}`, row.name, true),
    raiseRevision(db, row.accountId),
  ]);
}
