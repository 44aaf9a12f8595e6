import { asc, eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { defaultAccountSettings, type SupportSettings } from '../../../../contract/account-settings.ts';
import type { BusinessHours } from '../../../../contract/support/business-hours.ts';
import type { SlaPolicy } from '../../../../contract/support/sla-policy.ts';
import { accounts, businessHours, slaPolicies } from '../../../../database/schema.ts';

export interface KnownPolicy extends SlaPolicy {
  id: string;
  /** Milliseconds since 1970: it promises nothing from before. */
  createdAt: number;
}

/** What an account has set of how it answers people; both lists oldest first. */
export interface SupportConfiguration {
  /** Of the account's configuration in D1; it rises with each change. */
  revision: number;
  hours: BusinessHours[];
  policies: KnownPolicy[];
  settings: SupportSettings;
}

export const noSupport: SupportConfiguration = {
  revision: 0,
  hours: [],
  policies: [],
  settings: defaultAccountSettings.support,
};

/** As D1 has it now; null for an account that does not exist. */
export async function loadSupport(d1: D1Database, accountId: string): Promise<SupportConfiguration | null> {
  const db = drizzle(d1);
  const [account, hours, policies] = await db.batch([
    db
      .select({ revision: accounts.revision, settings: accounts.settings })
      .from(accounts)
      .where(eq(accounts.id, accountId)),
    db
      .select({ definition: businessHours.definition })
      .from(businessHours)
      .where(eq(businessHours.accountId, accountId))
      .orderBy(asc(businessHours.id)),
    db
      .select({ id: slaPolicies.id, definition: slaPolicies.definition, createdAt: slaPolicies.createdAt })
      .from(slaPolicies)
      .where(eq(slaPolicies.accountId, accountId))
      .orderBy(asc(slaPolicies.id)),
  ]);
  if (account[0] === undefined) return null;
  return {
    revision: account[0].revision,
    hours: hours.map(({ definition }) => definition),
    policies: policies.map(({ id, definition, createdAt }) => ({ ...definition, id, createdAt })),
    settings: { ...defaultAccountSettings.support, ...account[0].settings?.support },
  };
}
