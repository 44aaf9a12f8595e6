import { and, eq, sql } from 'drizzle-orm';
import { type AccountSettings, withDefaultSettings } from '../../../contract/account-settings.ts';
import type { Refusal } from '../../../contract/errors.ts';
import { accounts } from '../../../database/schema.ts';
import { batch, type Database, untilNotOvertaken } from '../../db/database.ts';
import { raiseRevision } from '../account/rows/revision.ts';
import { type AuditContext, auditEntry } from '../audit-log/rows.ts';

/** As it is stored, or null where the account has never set anything; undefined for an account that is gone. */
async function storedSettings(db: Database, accountId: string): Promise<AccountSettings | null | undefined> {
  const rows = await db
    .select({ settings: accounts.settings })
    .from(accounts)
    .where(eq(accounts.id, accountId))
    .limit(1);
  return rows[0]?.settings;
}

/** The settings of an account, with the defaults for what was never set; null for an account that is gone. */
export async function findSettings(db: Database, accountId: string): Promise<AccountSettings | null> {
  const stored = await storedSettings(db, accountId);
  return stored === undefined ? null : withDefaultSettings(stored);
}

interface SettingsChanged {
  ok: true;
  before: AccountSettings;
  after: AccountSettings;
}

/** Changes the settings as `change` makes them of those that are stored at that moment; null: the account is gone. */
export function changeSettings(
  accountId: string,
  audit: AuditContext,
  change: (current: AccountSettings) => { ok: true; value: AccountSettings } | Refusal,
): Promise<SettingsChanged | Refusal | { ok: null }> {
  const { db } = audit;
  return untilNotOvertaken(async () => {
    const stored = await storedSettings(db, accountId);
    if (stored === undefined) return { ok: null };
    const before = withDefaultSettings(stored);
    const changed = change(before);
    if (!changed.ok) return changed;
    const after = changed.value;
    // A repeated batch finds its own settings, and answers as it did the first time.
    const isUnchanged = sql`(${accounts.settings} is ${stored && JSON.stringify(stored)} or ${accounts.settings} = ${JSON.stringify(after)})`;
    const [written] = await batch(db, [
      db
        .update(accounts)
        .set({ settings: after })
        .where(and(eq(accounts.id, accountId), isUnchanged))
        .returning({ id: accounts.id }),
      auditEntry(audit, 'settings.updated', `account:${accountId}`, null, true),
      raiseRevision(db, accountId),
    ]);
    return (written as unknown[]).length > 0 ? { ok: true, before, after } : null;
  });
}
