import { and, eq, inArray, sql } from 'drizzle-orm';
import { memberships, numbers, teams, users } from '../../../../database/schema.ts';
import type { ReportGroup } from '../../../../durable/event-log/support/reports/support-report.ts';
import { type Database, slices } from '../../../db/database.ts';

interface Named {
  id: string;
  name: string;
}

const find: Record<
  Exclude<ReportGroup, 'day'>,
  (db: Database, accountId: string, ids: string[]) => PromiseLike<Named[]>
> = {
  agent: (db, accountId, ids) =>
    db
      .select({ id: users.id, name: users.name })
      .from(memberships)
      .innerJoin(users, eq(users.id, memberships.userId))
      .where(and(eq(memberships.accountId, accountId), inArray(users.id, ids))),
  team: (db, accountId, ids) =>
    db
      .select({ id: teams.id, name: sql<string>`json_extract(${teams.definition}, '$.name')` })
      .from(teams)
      .where(and(eq(teams.accountId, accountId), inArray(teams.id, ids))),
  number: (db, accountId, ids) =>
    db
      .select({ id: numbers.id, name: numbers.label })
      .from(numbers)
      .where(and(eq(numbers.accountId, accountId), inArray(numbers.id, ids))),
};

/** What agents, teams or numbers of an account are called, by id; those that are gone are left out. */
export async function groupNames(
  db: Database,
  accountId: string,
  by: ReportGroup,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  if (by === 'day') return names;
  // The account's id is a parameter too.
  for (const slice of slices(ids, 2)) {
    for (const { id, name } of await find[by](db, accountId, slice)) names.set(id, name);
  }
  return names;
}
