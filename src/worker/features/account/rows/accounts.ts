import { and, desc, eq, ne, sql } from 'drizzle-orm';
import { seriousAlertKinds } from '../../../../contract/alerts/alerts.ts';
import { alertChannels } from '../../../../database/alert-schema.ts';
import { accounts, memberships, users } from '../../../../database/schema.ts';
import { batch, type Database } from '../../../db/database.ts';
import { type AuditContext, type AuditSource, auditEntry } from '../../audit-log/rows.ts';
import { insertWhere } from './caps.ts';

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
export async function createAccount(
  db: Database,
  owner: NewOwner,
  now: number,
  from: AuditSource,
): Promise<boolean> {
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
    auditEntry(db, { caller, ...from }, 'account.created', `account:${accountId}`, accountName, true),
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
export async function renameUser(
  db: Database,
  userId: string,
  name: string,
  audit: AuditContext,
): Promise<void> {
  await batch(db, [
    db
      .update(users)
      .set({ name })
      .where(and(eq(users.id, userId), ne(users.name, name))),
    auditEntry(db, audit, 'user.renamed', `user:${userId}`, name, true),
  ]);
}
