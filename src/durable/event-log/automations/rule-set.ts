import { and, asc, eq, inArray } from 'drizzle-orm';
import { defaultAccountSettings, withDefaultSettings } from '../../../contract/account-settings.ts';
import type { AutomationDefinition } from '../../../contract/automations/automation.ts';
import type { OptOutWords } from '../../../contract/texts/opt-out-words.ts';
import { minuteMs } from '../../../contract/times.ts';
import { type Database, openDatabase } from '../../../database/open-database.ts';
import { automations, memberships, teams } from '../../../database/schema.ts';
import { accountQuery } from '../../account-query.ts';
import { insertRow, rowOf, Tables } from '../../storage/rows.ts';
import type { WebhookTarget } from '../deliveries/delivery-order.ts';
import type { LogState } from '../log-state.ts';
import type { Rule } from './rules/judge.ts';

/** What signs the callbacks of a rule. The secrets are sealed; only the sender opens them. */
type RuleSecrets = Pick<WebhookTarget, 'sealedSecret' | 'previousSealedSecret' | 'previousSecretUntil'>;

/** A rule as a person has configured it. */
interface RuleConfiguration extends AutomationDefinition, RuleSecrets {
  automationId: string;
}

interface AccountAutomations {
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
  const db = openDatabase(d1);
  const [account, rows] = await db.batch([
    accountQuery(db, accountId),
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
  db: Database,
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

/** A rule with where it stands in the account's events. Times are milliseconds since 1970. */
export interface KnownRule extends RuleConfiguration {
  /** It answers what happens behind this event, and after this time: when it was saved. */
  sinceSeq: number;
  sinceAt: number;
  /** Up to which beginning of a wait it was looked for conversations that wait. */
  waitedTo: number;
}

type Row = {
  automation_id: string;
  definition: string;
  since_seq: number;
  since_at: number;
  waited_to: number;
};

interface About {
  revision: number;
  /** The ids in their order. */
  order: string[];
  optOut: AccountAutomations['optOut'];
  /** People and teams that rules name, and that are not there any more. */
  gone?: string[];
}

const aboutName = 'automations.about';

/** What makes a rule another rule: its place and its secrets do not. */
const sameRule = (one: RuleConfiguration, other: RuleConfiguration) => {
  const ruleOf = ({
    sealedSecret: _,
    previousSealedSecret: _p,
    previousSecretUntil: _u,
    name: _n,
    ...rule
  }: RuleConfiguration) => JSON.stringify(Object.entries(rule).sort(([a], [b]) => (a < b ? -1 : 1)));
  return ruleOf(one) === ruleOf(other);
};

/** The account's rules, as the log has read them from D1 last. */
export class RuleSet extends Tables {
  readonly #state: LogState;
  #rules: KnownRule[] = [];
  #about: About | null = null;

  constructor(sql: SqlStorage, state: LogState) {
    super(sql);
    this.#state = state;
    this.reload();
  }

  /** Whether they were ever read. */
  get wasRead(): boolean {
    return this.#about !== null;
  }

  /** In their order. */
  get all(): readonly KnownRule[] {
    return this.#rules;
  }

  get optOut(): AccountAutomations['optOut'] {
    return this.#about?.optOut ?? defaultAccountSettings.optOut;
  }

  isGone(id: string): boolean {
    return this.#about?.gone?.includes(id) ?? false;
  }

  find(automationId: string): KnownRule | null {
    return this.#rules.find((rule) => rule.automationId === automationId) ?? null;
  }

  /** Those that are on, in their order. */
  get on(): readonly KnownRule[] {
    return this.#rules.filter(({ enabled }) => enabled);
  }

  /** The rules that answer an event, in their order. */
  answering(seq: number): readonly Rule[] {
    return this.on.filter(({ sinceSeq }) => sinceSeq < seq);
  }

  /** Takes over what D1 has; what is older than what is known changes nothing. Call inside a transaction. */
  configure({ revision, rules, optOut, gone }: AccountAutomations, head: number, now: number): void {
    if (revision < (this.#about?.revision ?? 0)) return;
    const wasEmpty = this.#rules.length === 0 && this.#about === null;
    if (wasEmpty && rules.length === 0) {
      // An account without rules has no row of them, but for one that says so.
      this.#putAbout({ revision, order: [], optOut });
      return;
    }
    const known = new Map(this.#rules.map((rule) => [rule.automationId, rule]));
    for (const { automationId } of this.#rules) {
      if (!rules.some((rule) => rule.automationId === automationId)) {
        this.sql.exec('DELETE FROM automation_rules WHERE automation_id = ?', automationId);
      }
    }
    for (const rule of rules) {
      const before = known.get(rule.automationId);
      if (before !== undefined && JSON.stringify(rule) === JSON.stringify(configurationOf(before))) continue;
      const isSame = before !== undefined && sameRule(configurationOf(before), rule);
      this.#put({
        ...rule,
        sinceSeq: isSame ? before.sinceSeq : head,
        sinceAt: isSame ? before.sinceAt : now,
        // Who has waited for so long already when a rule is saved is not answered by it.
        waitedTo: isSame ? before.waitedTo : now - (rule.waitingMinutes ?? 0) * minuteMs,
      });
    }
    const order = rules.map(({ automationId }) => automationId);
    this.#putAbout({ revision, order, optOut, ...(gone.length > 0 && { gone }) });
    this.reload();
  }

  /** Conversations that began to wait up to then were looked at. Call inside a transaction. */
  noteWaited(automationId: string, waitedTo: number): void {
    const change = 'UPDATE automation_rules SET waited_to = ? WHERE automation_id = ?';
    this.sql.exec(change, waitedTo, automationId);
    this.reload();
  }

  /** At the beginning of a life, and after a transaction that was rolled back. */
  reload(): void {
    this.#about = this.#state.get<About>(aboutName);
    const rows = this.queryAll<Row>('SELECT * FROM automation_rules');
    const order = this.#about?.order ?? [];
    this.#rules = rows
      .map(
        (row): KnownRule => ({
          ...(JSON.parse(row.definition) as RuleConfiguration),
          sinceSeq: row.since_seq,
          sinceAt: row.since_at,
          waitedTo: row.waited_to,
        }),
      )
      .sort((one, other) => order.indexOf(one.automationId) - order.indexOf(other.automationId));
  }

  #put(rule: KnownRule): void {
    const { automationId, sinceSeq, sinceAt, waitedTo } = rule;
    const row = rowOf({ automationId, definition: configurationOf(rule), sinceSeq, sinceAt, waitedTo });
    insertRow(this.sql, 'INSERT OR REPLACE INTO automation_rules', row);
  }

  #putAbout(about: About): void {
    if (JSON.stringify(about) === JSON.stringify(this.#about)) return;
    this.#state.put(aboutName, about);
    this.#about = about;
  }
}

const configurationOf = ({ sinceSeq: _, sinceAt: _a, waitedTo: _w, ...rule }: KnownRule): RuleConfiguration =>
  rule;
