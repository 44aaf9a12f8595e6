import { eq } from 'drizzle-orm';
import { type AccountSettings, defaultAccountSettings } from '../../contract/account-settings.ts';
import { accounts } from '../../database/schema.ts';
import { type AuditContext, auditEntry } from './audit-log.ts';
import { batch, type Database } from './database.ts';
import { raiseRevision } from './revision.ts';

/** The settings of an account, with the defaults for what was never set; null for an account that is gone. */
export async function findSettings(db: Database, accountId: string): Promise<AccountSettings | null> {
  const rows = await db
    .select({ settings: accounts.settings })
    .from(accounts)
    .where(eq(accounts.id, accountId))
    .limit(1);
  return rows[0] ? { ...defaultAccountSettings, ...rows[0].settings } : null;
}

export async function updateSettings(
  db: Database,
  accountId: string,
  settings: AccountSettings,
  audit: AuditContext,
): Promise<void> {
  await batch(db, [
    db.update(accounts).set({ settings }).where(eq(accounts.id, accountId)),
    auditEntry(db, audit, 'settings.updated', `account:${accountId}`, null),
    raiseRevision(db, accountId),
  ]);
}
