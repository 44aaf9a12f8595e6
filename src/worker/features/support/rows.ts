import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { CannedReply, Label, Team } from '../../../contract/conversations/team.ts';
import type { BusinessHours } from '../../../contract/support/business-hours.ts';
import type { SlaPolicy } from '../../../contract/support/sla-policy.ts';
import {
  businessHours,
  cannedReplies,
  labels,
  memberships,
  numbers,
  slaPolicies,
  teams,
  users,
} from '../../../database/schema.ts';
import type { ReportGroup } from '../../../durable/event-log/support/support-report.ts';
import { type Database, slices } from '../../db/database.ts';
import { configuredRows } from '../account/rows/configured-rows.ts';

export interface DefinitionRow<Definition> {
  id: string;
  accountId: string;
  definition: Definition;
  createdAt: number;
}

/** What people define for an account, one thing a row. */
export type Definitions<Definition> = ReturnType<
  typeof configuredRows<typeof businessHours, DefinitionRow<Definition>>
>;

/** The tables look the same but for what they hold. */
const definitions = <Definition>(
  table: SQLiteTable,
  kind: string,
  nameOf: (definition: Definition) => string,
): Definitions<Definition> =>
  configuredRows(table as typeof businessHours, kind, ({ definition }) => nameOf(definition), ['definition']);

const named = ({ name }: { name: string }) => name;
export const businessHoursDefinitions = definitions<BusinessHours>(businessHours, 'business_hours', named);
export const slaPolicyDefinitions = definitions<SlaPolicy>(slaPolicies, 'sla_policy', named);
export const teamDefinitions = definitions<Team>(teams, 'team', named);
export const labelDefinitions = definitions<Label>(labels, 'label', named);
export const cannedReplyDefinitions = definitions<CannedReply>(
  cannedReplies,
  'canned_reply',
  ({ shortcut }) => shortcut,
);

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
