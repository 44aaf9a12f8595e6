import { eq, sql } from 'drizzle-orm';
import { assistants } from '../../../database/assistants-schema.ts';
import type { Database } from '../../db/database.ts';
import { configuredRows } from '../account/rows/configured-rows.ts';
import type { AuditContext } from '../audit-log/rows.ts';

export type AssistantRow = typeof assistants.$inferSelect;
export type AssistantChanges = Partial<Omit<AssistantRow, 'id' | 'accountId' | 'createdAt' | 'updatedAt'>>;

/** Assistants of one account. */
export const assistantsMax = 50;

const rows = configuredRows(assistants, 'assistant', ({ name }) => name);

export const { find: findAssistant, list: listAssistants, delete: deleteAssistant } = rows;

/** False when the account has as many as there may be. */
export const insertAssistant = (row: AssistantRow, audit: AuditContext) =>
  rows.insert(row, audit, rows.fewerThan(row.accountId, assistantsMax));

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
  row: AssistantRow,
  changes: AssistantChanges,
  audit: AuditContext,
): Promise<AssistantRow | null> {
  if (Object.keys(changes).length === 0) return row;
  const { sealedSecrets } = changes;
  const isSameSecret = sql`(${assistants.sealedSecrets} is ${row.sealedSecrets} or ${assistants.sealedSecrets} is ${sealedSecrets ?? null})`;
  const only = sealedSecrets === undefined ? undefined : isSameSecret;
  return rows.update(row, { ...changes, updatedAt: Date.now() }, audit, only);
}
