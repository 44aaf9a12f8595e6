import { and, eq, inArray } from 'drizzle-orm';
import { accounts, numbers } from '../../../database/schema.ts';
import { type Database, slices } from '../../db/database.ts';
import { hasRoom } from '../account/rows/caps.ts';
import { configuredRows } from '../account/rows/configured-rows.ts';
import type { AuditContext } from '../audit-log/rows.ts';

export type NumberRow = typeof numbers.$inferSelect;

const rows = configuredRows(numbers, 'number', ({ label }) => label, [
  'label',
  'inPool',
  'pacing',
  'filters',
  'session',
  'teamIds',
]);

export const { find: findNumber, changeStored: changeNumber, delete: deleteNumber } = rows;

/** Newest first, one more than the page holds; `only`: this one alone. */
export const listNumbers = (
  db: Database,
  accountId: string,
  limit: number,
  before?: string,
  only: string | null = null,
) => rows.list(db, accountId, limit, before, only === null ? undefined : eq(numbers.id, only));

/** False when the account has `most` of them. */
export const insertNumber = (row: NumberRow, audit: AuditContext, most: number | null) =>
  rows.insert(row, audit, hasRoom(row.accountId, 'numbers', most));

/**
 * The account's numbers, or one of them, with their current settings. `revision` is the account's revision at the same moment,
 * by which a number recognises the newer settings.
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
