import { asc, eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { type AccountSettings, defaultAccountSettings } from '../../../../contract/account-settings.ts';
import type { AutomationDefinition } from '../../../../contract/automations/automation.ts';
import { accounts, automations } from '../../../../database/schema.ts';

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
  optOut: Pick<AccountSettings['optOut'], 'stopWords' | 'startWords'>;
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
  const { stopWords, startWords } = account[0].settings?.optOut ?? defaultAccountSettings.optOut;
  return { revision: account[0].revision, rules, optOut: { stopWords, startWords } };
}
