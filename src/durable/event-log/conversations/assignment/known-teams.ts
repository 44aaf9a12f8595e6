import { and, eq, isNotNull } from 'drizzle-orm';
import { openDatabase } from '../../../../database/open-database.ts';
import { memberships, numbers, teams } from '../../../../database/schema.ts';
import { accountQuery } from '../../../account-query.ts';
import type { LogState } from '../../log-state.ts';

/** A team, as far as the log has to know it. */
export interface KnownTeam {
  id: string;
  /** Those of its people who belong to the account. */
  memberIds: string[];
  autoAssign: boolean;
  /** Null: no limit. */
  capPerAgent: number | null;
}

interface AccountTeams {
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
  const db = openDatabase(d1);
  const [account, rows, people, limited] = await db.batch([
    accountQuery(db, accountId),
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

const name = 'teams';

/** The account's teams, as the log has read them from D1 last. */
export class KnownTeams {
  readonly #state: LogState;
  #known: AccountTeams | null;

  constructor(state: LogState) {
    this.#state = state;
    this.#known = state.get<AccountTeams>(name);
  }

  /** After a rollback. */
  reload(): void {
    this.#known = this.#state.get<AccountTeams>(name);
  }

  /** Of the account's configuration, as it was read last. */
  get revision(): number {
    return this.#known?.revision ?? 0;
  }

  /** Takes over the teams as D1 has them: whether any is another than before. One that is older changes nothing. */
  replace(read: AccountTeams): boolean {
    const known = this.#known;
    if (known !== null && read.revision < known.revision) return false;
    // An account that has none, and had none, writes nothing.
    if (known === null && read.teams.length === 0) return false;
    const isChanged =
      JSON.stringify([known?.teams, known?.limited]) !== JSON.stringify([read.teams, read.limited]);
    if (isChanged) {
      this.#state.put(name, read);
      this.#known = read;
    }
    return isChanged;
  }

  find(teamId: string): KnownTeam | null {
    return this.#known?.teams.find(({ id }) => id === teamId) ?? null;
  }

  /** Those that give out their conversations by themselves. */
  get givingOut(): KnownTeam[] {
    return (this.#known?.teams ?? []).filter(({ autoAssign }) => autoAssign);
  }

  /** The one team that a number's conversations are for; null where they are for all, or for several. */
  ownerOf(numberId: string): string | null {
    const teamIds = this.#teamsOf(numberId);
    return teamIds?.length === 1 ? (teamIds[0] ?? null) : null;
  }

  /** Whether somebody of a team that the number's conversations are for. */
  mayHave(userId: string, numberId: string): boolean {
    const teamIds = this.#teamsOf(numberId);
    return teamIds === null || teamIds.some((id) => this.find(id)?.memberIds.includes(userId));
  }

  #teamsOf(numberId: string): string[] | null {
    return this.#known?.limited.find((one) => one.numberId === numberId)?.teamIds ?? null;
  }
}
