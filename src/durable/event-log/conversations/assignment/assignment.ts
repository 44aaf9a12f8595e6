import { Tables } from '../../../storage/rows.ts';
import type { EventDraft } from '../../events/event-draft.ts';
import type { LogState } from '../../log-state.ts';
import type { Conversation } from '../conversation.ts';
import { type ConversationRow, conversationOf } from '../rows/conversation-row.ts';
import type { KnownTeam, KnownTeams } from './known-teams.ts';
import { type Slice, SlicedWork } from './sliced-work.ts';

/** The tables of who was given a conversation last, and which wait for somebody. */
export const assignmentTablesSql = `
  -- When somebody was given one of a team's conversations last: milliseconds since 1970.
  CREATE TABLE team_turns (
    team_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (team_id, user_id)
  ) WITHOUT ROWID;
  CREATE INDEX conversations_unassigned ON conversations (team_id, last_message)
    WHERE assignee_id IS NULL AND status = 'open' AND team_id IS NOT NULL;
`;

/** Without the conversations that an assistant answers, which may be many and cannot be given out. */
export const conversationsToGiveOutSql = `
  CREATE INDEX conversations_to_give_out ON conversations (team_id, last_message)
    WHERE assignee_id IS NULL AND status = 'open' AND bot_state <> 'active' AND team_id IS NOT NULL;
`;

/**
 * Who in a team gets an unassigned conversation: in turn, those who are present and have room. It depends only on what is
 * stored and on who follows the inbox now. Call methods that write inside a transaction.
 */
export class Assignment extends Tables {
  readonly #teams: KnownTeams;
  readonly #online: () => readonly string[];

  constructor(sql: SqlStorage, teams: KnownTeams, online: () => readonly string[]) {
    super(sql);
    this.#teams = teams;
    this.#online = online;
  }

  /** Whose turn it is; null: nobody is there who has room, or the team does not give out its conversations. */
  next({ teamId, numberId, botState }: Conversation): string | null {
    // An assistant answers.
    if (botState === 'active') return null;
    const team = teamId === null ? null : this.#teams.find(teamId);
    if (team === null || !team.autoAssign) return null;
    const online = new Set(this.#online());
    const there = team.memberIds.filter(
      (userId) => online.has(userId) && this.#teams.mayHave(userId, numberId),
    );
    const turns = there.length > 1 ? this.#turns(team.id) : new Map<string, number>();
    const inTurn = there.toSorted((a, b) => (turns.get(a) ?? 0) - (turns.get(b) ?? 0));
    return inTurn.find((userId) => this.#hasRoom(team, userId)) ?? null;
  }

  /** Somebody was given one of a team's conversations: it is the others' turn. */
  given(teamId: string, userId: string, at: number): void {
    const last = Math.max(0, ...this.#turns(teamId).values());
    const query = 'INSERT OR REPLACE INTO team_turns (team_id, user_id, at) VALUES (?, ?, ?)';
    this.sql.exec(query, teamId, userId, Math.max(at, last + 1));
  }

  /** Ids of the teams that assign by themselves: those of a person; null: all. */
  givingTo(userId: string | null): string[] {
    return this.#teams.givingOut
      .filter(({ memberIds }) => userId === null || memberIds.includes(userId))
      .map(({ id }) => id);
  }

  /** Waiting conversations of a team, the longest silent first; none if nobody is online who has room. */
  waiting(teamId: string, limit: number): Conversation[] {
    const team = this.#teams.find(teamId);
    if (team === null || !this.#online().some((userId) => this.#mayTake(team, userId))) return [];
    return this.queryAll<ConversationRow>(
      `SELECT * FROM conversations INDEXED BY conversations_to_give_out
         WHERE team_id = ? AND assignee_id IS NULL AND status = 'open' AND bot_state <> 'active' AND team_id IS NOT NULL
         ORDER BY last_message LIMIT ?`,
      ...[team.id, limit],
    ).map(conversationOf);
  }

  forgetTeam(teamId: string): void {
    this.sql.exec('DELETE FROM team_turns WHERE team_id = ?', teamId);
  }

  #turns(teamId: string): Map<string, number> {
    const query = 'SELECT user_id AS userId, at FROM team_turns WHERE team_id = ?';
    const rows = this.queryAll<{ userId: string; at: number }>(query, teamId);
    return new Map(rows.map(({ userId, at }) => [userId, at]));
  }

  #mayTake(team: KnownTeam, userId: string): boolean {
    return team.memberIds.includes(userId) && this.#hasRoom(team, userId);
  }

  #hasRoom({ capPerAgent }: KnownTeam, userId: string): boolean {
    if (capPerAgent === null) return true;
    const query = `SELECT count(*) AS n FROM
      (SELECT 1 FROM conversations WHERE assignee_id = ? AND status = 'open' LIMIT ?)`;
    return this.queryOne<{ n: number }>(query, userId, capPerAgent).n < capPerAgent;
  }
}

/** Conversations that are given out in one go. */
const givenMax = 50;

/** Gives a conversation to whoever of its team has the turn, if anybody can take it. */
type Give = (conversation: Conversation, at: number) => EventDraft[];

/** Gives out the waiting conversations of teams, some at a time. Call what writes inside a transaction. */
export class GivingOut {
  readonly #assignment: Assignment;
  readonly #give: Give;
  readonly #teams: SlicedWork;

  constructor(state: LogState, assignment: Assignment, give: Give) {
    this.#assignment = assignment;
    this.#give = give;
    this.#teams = new SlicedWork(state, 'teams.giving_out', (teamId, at) => this.#slice(teamId, at));
  }

  /** Begins with the teams of a person who has come, or has room again; null: with all teams. */
  begin(userId: string | null, at: number): EventDraft[] {
    const { left } = this.#teams;
    const teamIds = this.#assignment.givingTo(userId).filter((id) => !left.includes(id));
    const some = teamIds.filter((id) => this.#assignment.waiting(id, 1).length > 0);
    return some.length === 0 ? [] : this.#teams.run(at, [...some, ...left]);
  }

  dueAt(): number | null {
    return this.#teams.dueAt();
  }

  run(at: number): EventDraft[] {
    return this.#teams.run(at);
  }

  /** If nobody can take any of those that have waited longest, the others wait for the next occasion. */
  #slice(teamId: string, at: number): Slice {
    const waiting = this.#assignment.waiting(teamId, givenMax);
    const drafts = waiting.flatMap((one) => this.#give(one, at));
    return { drafts, isWhole: waiting.length < givenMax || drafts.length === 0 };
  }
}
