import { and, desc, eq, ne, sql } from 'drizzle-orm';
import { seriousAlertKinds } from '../../../../contract/alerts/alerts.ts';
import { alertChannels } from '../../../../database/alert-schema.ts';
import { accounts, memberships, users } from '../../../../database/schema.ts';
import { batch, type Database } from '../../../db/database.ts';
import { type AuditContext, type AuditSource, auditEntry } from '../../audit-log/rows.ts';
import { insertWhere } from './caps.ts';
import { raiseRevision } from './revision.ts';

export type Role = 'owner' | 'admin' | 'agent';

export interface NewOwner {
  userId: string;
  accountId: string;
  email: string;
  name: string;
  accountName: string;
  passwordHash: string;
}

/** Where the owner is told of what is serious, without having asked for it. */
const ownersChannel = (accountId: string, email: string, now: number): typeof alertChannels.$inferSelect => ({
  // One an account, made once.
  id: accountId,
  accountId,
  kind: 'email',
  name: null,
  shownTarget: email,
  sealedTarget: null,
  kinds: [...seriousAlertKinds],
  numberIds: null,
  digest: null,
  enabled: true,
  confirmedAt: null,
  confirmationHash: null,
  confirmationExpiresAt: null,
  createdAt: now,
});

/** Creates an account with its owner; false when the e-mail address is taken, and then nothing is stored. */
export async function createAccount(owner: NewOwner, now: number, from: AuditSource): Promise<boolean> {
  const { db } = from;
  const { userId, accountId, email, name, accountName, passwordHash } = owner;
  const taken = await findUserByEmail(db, email);
  if (taken !== null) return false;
  // Two sign-ups at once: whose user row got in, gets the rest; a repeat of the batch finds its own row.
  const own = sql`exists (select 1 from users where id = ${userId})`;
  const account = sql`select ${accountId}, ${accountName}, 'free', ${now}, null, 0, 0 where ${own}`;
  const membership = sql`select ${userId}, ${accountId}, 'owner' where ${own}`;
  const caller = { kind: 'user' as const, accountId, userId, email };
  await batch(db, [
    db.insert(users).values({ id: userId, email, name, passwordHash, createdAt: now }).onConflictDoNothing(),
    db.insert(accounts).select(account).onConflictDoNothing(),
    db.insert(memberships).select(membership).onConflictDoNothing(),
    auditEntry({ caller, ...from }, 'account.created', `account:${accountId}`, accountName, true),
    insertWhere(db, alertChannels, ownersChannel(accountId, email, now), own),
  ]);
  return (await findUserByEmail(db, email))?.id === userId;
}

export async function findUserByEmail(
  db: Database,
  email: string,
): Promise<typeof users.$inferSelect | null> {
  return (await db.select().from(users).where(eq(users.email, email)).limit(1))[0] ?? null;
}

export async function findUser(db: Database, id: string): Promise<typeof users.$inferSelect | null> {
  return (await db.select().from(users).where(eq(users.id, id)).limit(1))[0] ?? null;
}

/** The accounts that a person belongs to, newest first, one more than the page holds. */
export function listAccounts(db: Database, userId: string, limit: number, before: string | undefined) {
  return db
    .select({ id: accounts.id, name: accounts.name, role: memberships.role })
    .from(memberships)
    .innerJoin(accounts, eq(accounts.id, memberships.accountId))
    .where(
      before === undefined
        ? eq(memberships.userId, userId)
        : sql`${memberships.userId} = ${userId} and ${memberships.accountId} < ${before}`,
    )
    .orderBy(desc(memberships.accountId))
    .limit(limit + 1);
}

/** Gives a person another name, with its entry in the audit log of the account that they are in. */
export async function renameUser(userId: string, name: string, audit: AuditContext): Promise<void> {
  const { db } = audit;
  await batch(db, [
    db
      .update(users)
      .set({ name })
      .where(and(eq(users.id, userId), ne(users.name, name))),
    auditEntry(audit, 'user.renamed', `user:${userId}`, name, true),
  ]);
}

/** Puts an account on a plan; null when there is no such account. A repeat writes no second entry into its audit log. */
export async function updatePlan(
  accountId: string,
  plan: string,
  from: AuditSource,
): Promise<{ name: string } | null> {
  const { db } = from;
  const own = eq(accounts.id, accountId);
  const [account] = await db.select({ name: accounts.name }).from(accounts).where(own).limit(1);
  if (!account) return null;
  const caller = { kind: 'operator' as const, accountId };
  await batch(db, [
    db
      .update(accounts)
      .set({ plan })
      .where(and(own, ne(accounts.plan, plan))),
    auditEntry({ caller, ...from }, 'account.plan_changed', `account:${accountId}`, plan, true),
    raiseRevision(db, accountId),
  ]);
  return account;
}

/** Gives the caller's account another name, with its entry in the audit log. */
export async function renameAccount(name: string, audit: AuditContext): Promise<void> {
  const { db } = audit;
  const { accountId } = audit.caller;
  await batch(db, [
    db
      .update(accounts)
      .set({ name })
      .where(and(eq(accounts.id, accountId), ne(accounts.name, name))),
    auditEntry(audit, 'account.renamed', `account:${accountId}`, name, true),
  ]);
}

/** How much configuration there is, over all accounts. */
export interface Totals {
  numbers: number;
  apiKeys: number;
  webhooksOn: number;
  webhooksOff: number;
  /** Accounts whose objects may not have read their last change yet. */
  accountsToRefresh: number;
  /** Entries that no audit log has taken yet. */
  auditEntriesWaiting: number;
  accountsByPlan: { plan: string; accounts: number }[];
}

/** Counts every row of configuration: for the operator alone. */
export async function readTotals(db: Database): Promise<Totals> {
  const counts = sql`select
    (select count(*) from numbers) as numbers,
    (select count(*) from api_keys where revoked_at is null) as apiKeys,
    (select count(*) from webhooks where enabled) as webhooksOn,
    (select count(*) from webhooks where not enabled) as webhooksOff,
    (select count(*) from accounts where revision > refreshed_revision) as accountsToRefresh,
    (select count(*) from audit_outbox) as auditEntriesWaiting`;
  const plans = sql`select plan, count(*) as accounts from accounts group by plan order by plan`;
  const [totals, accountsByPlan] = await Promise.all([
    db.get<Omit<Totals, 'accountsByPlan'>>(counts),
    db.all<Totals['accountsByPlan'][number]>(plans),
  ]);
  return { ...totals, accountsByPlan };
}
