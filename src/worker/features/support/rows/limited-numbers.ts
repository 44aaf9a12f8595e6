import { and, eq, isNotNull } from 'drizzle-orm';
import { numbers, teams } from '../../../../database/schema.ts';
import type { Database } from '../../../db/database.ts';

/** The numbers whose conversations are for certain teams alone. */
export async function limitedNumbers(db: Database, accountId: string) {
  const rows = await db
    .select({ numberId: numbers.id, teamIds: numbers.teamIds })
    .from(numbers)
    .where(and(eq(numbers.accountId, accountId), isNotNull(numbers.teamIds)));
  return rows.map(({ numberId, teamIds }) => ({ numberId, teamIds: teamIds ?? [] }));
}

/** Those of them that somebody who only answers does not see. */
export async function hiddenNumbersOf(db: Database, accountId: string, userId: string): Promise<string[]> {
  const limited = await limitedNumbers(db, accountId);
  if (limited.length === 0) return [];
  const rows = await db
    .select({ id: teams.id, definition: teams.definition })
    .from(teams)
    .where(eq(teams.accountId, accountId));
  const own = new Set(
    rows.filter(({ definition }) => definition.memberIds.includes(userId)).map(({ id }) => id),
  );
  return limited.filter(({ teamIds }) => !teamIds.some((id) => own.has(id))).map(({ numberId }) => numberId);
}
