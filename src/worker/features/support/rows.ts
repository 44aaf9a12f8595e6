import { and, eq, inArray, isNotNull, or, sql } from 'drizzle-orm';
import type { CannedReply, Label, Team } from '../../../contract/conversations/team.ts';
import type { Refusal } from '../../../contract/errors.ts';
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
import { accountRows } from '../../db/account-rows.ts';
import { batch, type Database, slices, untilNotOvertaken } from '../../db/database.ts';
import { insertWhere } from '../account/rows/caps.ts';
import { raiseRevision } from '../account/rows/revision.ts';
import { type AuditContext, auditEntry } from '../audit-log/rows.ts';

export interface DefinitionRow<Definition> {
  id: string;
  accountId: string;
  definition: Definition;
  createdAt: number;
}

/** The tables look the same but for what they hold. */
type DefinitionTable =
  | typeof businessHours
  | typeof slaPolicies
  | typeof teams
  | typeof labels
  | typeof cannedReplies;

/** What people define for an account, one thing a row; `kind` is how the audit log calls it. */
export class Definitions<Definition extends object> {
  readonly #table: typeof businessHours;
  readonly #rows: ReturnType<typeof accountRows<typeof businessHours>>;
  readonly #kind: string;
  readonly #nameOf: (definition: Definition) => string;

  constructor(table: DefinitionTable, kind: string, nameOf: (definition: Definition) => string) {
    this.#nameOf = nameOf;
    this.#table = table as unknown as typeof businessHours;
    this.#rows = accountRows(this.#table);
    this.#kind = kind;
  }

  /** False when the account has `most` of them. */
  async insert(
    db: Database,
    row: DefinitionRow<Definition>,
    audit: AuditContext,
    most: number,
  ): Promise<boolean> {
    const { id, accountId } = row;
    const isFewer = sql`(select count(*) from ${this.#table} where account_id = ${accountId}) < ${most}`;
    await batch(db, [
      insertWhere(db, this.#table, row as unknown as typeof businessHours.$inferSelect, isFewer),
      this.#entry(db, audit, 'created', row),
      raiseRevision(db, accountId),
    ]);
    return (await this.find(db, accountId, id)) !== null;
  }

  find(db: Database, accountId: string, id: string): Promise<DefinitionRow<Definition> | null> {
    return this.#rows.find(db, accountId, id) as unknown as Promise<DefinitionRow<Definition> | null>;
  }

  /** Newest first, one more than the page holds. */
  list(
    db: Database,
    accountId: string,
    limit: number,
    before: string | undefined,
  ): Promise<DefinitionRow<Definition>[]> {
    return this.#rows.list(db, accountId, limit, before) as unknown as Promise<DefinitionRow<Definition>[]>;
  }

  /** Changes one as `change` makes it of what is stored at that moment; resolves it as it is then, or null when it is gone. */
  change(
    db: Database,
    accountId: string,
    id: string,
    audit: AuditContext,
    change: (current: Definition) => { ok: true; value: Definition } | Refusal,
  ): Promise<{ ok: true; row: DefinitionRow<Definition> } | Refusal | { ok: null }> {
    return untilNotOvertaken(async () => {
      const row = await this.find(db, accountId, id);
      if (row === null) return { ok: null };
      const changed = change(row.definition);
      if (!changed.ok) return changed;
      const after = { ...row, definition: changed.value };
      const is = (definition: Definition) => sql`${this.#table.definition} = ${JSON.stringify(definition)}`;
      const [written] = await batch(db, [
        // A repeated batch finds its own change, and answers as it did the first time.
        db
          .update(this.#table)
          .set({ definition: after.definition as unknown as BusinessHours })
          .where(and(this.#rows.own(accountId, id), or(is(row.definition), is(after.definition))))
          .returning({ id: this.#table.id }),
        this.#entry(db, audit, 'updated', after),
        raiseRevision(db, accountId),
      ]);
      return (written as unknown[]).length > 0 ? { ok: true, row: after } : null;
    });
  }

  async delete(db: Database, row: DefinitionRow<Definition>, audit: AuditContext): Promise<void> {
    await batch(db, [
      db.delete(this.#table).where(this.#rows.own(row.accountId, row.id)),
      this.#entry(db, audit, 'deleted', row),
      raiseRevision(db, row.accountId),
    ]);
  }

  #entry(db: Database, audit: AuditContext, what: string, { id, definition }: DefinitionRow<Definition>) {
    return auditEntry(
      db,
      audit,
      `${this.#kind}.${what}`,
      `${this.#kind}:${id}`,
      this.#nameOf(definition),
      true,
    );
  }
}

const named = ({ name }: { name: string }) => name;
export const businessHoursDefinitions = new Definitions<BusinessHours>(
  businessHours,
  'business_hours',
  named,
);
export const slaPolicyDefinitions = new Definitions<SlaPolicy>(slaPolicies, 'sla_policy', named);
export const teamDefinitions = new Definitions<Team>(teams, 'team', named);
export const labelDefinitions = new Definitions<Label>(labels, 'label', named);
export const cannedReplyDefinitions = new Definitions<CannedReply>(
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
