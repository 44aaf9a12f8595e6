import { and, asc, eq, inArray } from 'drizzle-orm';
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';
import { withDefaultSettings } from '../../../../contract/account-settings.ts';
import type { AutomationDefinition } from '../../../../contract/automations/automation.ts';
import type { OptOutWords } from '../../../../contract/texts/opt-out-words.ts';
import { accounts, automations, memberships, teams } from '../../../../database/schema.ts';

/** What signs the callbacks of a rule. The secrets are sealed; only the sender opens them. */
interface RuleSecrets {
  sealedSecret: string;
  previousSealedSecret: string | null;
  previousSecretUntil: number | null;
}

/** A rule as a person has configured it. */
export interface RuleConfiguration extends AutomationDefinition, RuleSecrets {
  automationId: string;
}

export interface AccountAutomations {
  /** Of the account's configuration: rises with each change of it. */
  revision: number;
  /** In their order. */
  rules: RuleConfiguration[];
  optOut: OptOutWords;
  /** People and teams that rules name, and that are not there any more. */
  gone: string[];
}

/** Reads an account's rules from D1, as of now; null for an account that does not exist. */
export async function loadAutomations(d1: D1Database, accountId: string): Promise<AccountAutomations | null> {
  const db = drizzle(d1);
  const [account, rows] = await db.batch([
    db
      .select({ revision: accounts.revision, settings: accounts.settings })
      .from(accounts)
      .where(eq(accounts.id, accountId)),
    db
      .select()
      .from(automations)
      .where(eq(automations.accountId, accountId))
      .orderBy(asc(automations.position), asc(automations.id)),
  ]);
  if (account[0] === undefined) return null;
  const rules = rows.map(
    ({ id, name, enabled, definition, sealedSecret, previousSealedSecret, previousSecretUntil }) => ({
      automationId: id,
      name,
      enabled,
      ...definition,
      sealedSecret,
      previousSealedSecret,
      previousSecretUntil,
    }),
  );
  const { stopWords, startWords } = withDefaultSettings(account[0].settings).optOut;
  const gone = await goneOf(db, accountId, rules);
  return { revision: account[0].revision, rules, optOut: { stopWords, startWords }, gone };
}

/** D1 takes a hundred parameters a statement. */
const idsAtOnce = 90;

async function goneOf(
  db: DrizzleD1Database,
  accountId: string,
  rules: readonly RuleConfiguration[],
): Promise<string[]> {
  const assigned = rules.flatMap(({ actions }) => actions).filter((action) => action.type === 'assign');
  const named = assigned.flatMap(({ assigneeId, teamId }) => [assigneeId, teamId]);
  const ids = [...new Set(named.filter((id) => id != null))];
  const there = new Set<string>();
  for (let from = 0; from < ids.length; from += idsAtOnce) {
    const some = ids.slice(from, from + idsAtOnce);
    const [people, groups] = await db.batch([
      db
        .select({ id: memberships.userId })
        .from(memberships)
        .where(and(eq(memberships.accountId, accountId), inArray(memberships.userId, some))),
      db
        .select({ id: teams.id })
        .from(teams)
        .where(and(eq(teams.accountId, accountId), inArray(teams.id, some))),
    ]);
    for (const { id } of [...people, ...groups]) there.add(id);
  }
  return ids.filter((id) => !there.has(id));
}
