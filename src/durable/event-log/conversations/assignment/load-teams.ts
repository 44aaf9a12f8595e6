import { and, eq, isNotNull } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { accounts, memberships, numbers, teams } from '../../../../database/schema.ts';

/** A team, as far as the log has to know it. */
export interface KnownTeam {
  id: string;
  /** Those of its people who belong to the account. */
  memberIds: string[];
  autoAssign: boolean;
  /** Null: no limit. */
  capPerAgent: number | null;
}

export interface AccountTeams {
  /** Of the account's configuration: rises with each change of it. */
  revision: number;
  teams: KnownTeam[];
  /** The numbers whose conversations are for certain teams alone. */
  limited: { numberId: string; teamIds: string[] }[];
}

/** Reads an account's teams and people from D1, as of now; null for an account that does not exist. */
export async function loadTeams(
  d1: D1Database,
  accountId: string,
): Promise<{ teams: AccountTeams; people: ReadonlySet<string> } | null> {
  const db = drizzle(d1);
  const [account, rows, people, limited] = await db.batch([
    db.select({ revision: accounts.revision }).from(accounts).where(eq(accounts.id, accountId)),
    db
      .select({ id: teams.id, definition: teams.definition })
      .from(teams)
      .where(eq(teams.accountId, accountId))
      .orderBy(teams.id),
    db.select({ userId: memberships.userId }).from(memberships).where(eq(memberships.accountId, accountId)),
    db
      .select({ numberId: numbers.id, teamIds: numbers.teamIds })
      .from(numbers)
      .where(and(eq(numbers.accountId, accountId), isNotNull(numbers.teamIds)))
      .orderBy(numbers.id),
  ]);
  const [found] = account;
  if (!found) return null;
  const own = new Set(people.map(({ userId }) => userId));
  const teamsNow = {
    revision: found.revision,
    teams: rows.map(({ id, definition: { memberIds, autoAssign, capPerAgent } }) => ({
      id,
      memberIds: memberIds.filter((userId) => own.has(userId)),
      autoAssign,
      capPerAgent,
    })),
    limited: limited.map(({ numberId, teamIds }) => ({ numberId, teamIds: teamIds ?? [] })),
  };
  return { teams: teamsNow, people: own };
}
