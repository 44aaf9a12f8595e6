import { and, eq, ne } from 'drizzle-orm';
import { accounts } from '../../../../database/schema.ts';
import { batch, type Database } from '../../../db/database.ts';
import { type AuditContext, type AuditSource, auditEntry } from '../../audit-log/rows.ts';
import { raiseRevision } from './revision.ts';

/** Puts an account on a plan; null when there is no such account. A repeat writes no second entry into its audit log. */
export async function updatePlan(
  db: Database,
  accountId: string,
  plan: string,
  from: AuditSource,
): Promise<{ name: string } | null> {
  const own = eq(accounts.id, accountId);
  const [account] = await db.select({ name: accounts.name }).from(accounts).where(own).limit(1);
  if (!account) return null;
  const caller = { kind: 'operator' as const, accountId };
  await batch(db, [
    db
      .update(accounts)
      .set({ plan })
      .where(and(own, ne(accounts.plan, plan))),
    auditEntry(db, { caller, ...from }, 'account.plan_changed', `account:${accountId}`, plan, true),
    raiseRevision(db, accountId),
  ]);
  return account;
}

/** Gives the caller's account another name, with its entry in the audit log. */
export async function renameAccount(db: Database, name: string, audit: AuditContext): Promise<void> {
  const { accountId } = audit.caller;
  await batch(db, [
    db
      .update(accounts)
      .set({ name })
      .where(and(eq(accounts.id, accountId), ne(accounts.name, name))),
    auditEntry(db, audit, 'account.renamed', `account:${accountId}`, name, true),
  ]);
}
