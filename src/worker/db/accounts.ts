import { eq, sql } from 'drizzle-orm';
import { accounts, memberships, users } from '../../database/schema.ts';
import { batch, type Database } from './database.ts';

export interface NewOwner {
  userId: string;
  accountId: string;
  email: string;
  name: string;
  accountName: string;
  passwordHash: string;
}

/** Creates an account with its owner; false when the e-mail address is taken, and then nothing is stored. */
export async function createAccount(db: Database, owner: NewOwner, now: number): Promise<boolean> {
  const { userId, accountId, email, name, accountName, passwordHash } = owner;
  const taken = await findUserByEmail(db, email);
  if (taken !== null) return false;
  // Two sign-ups at once: whose user row got in, gets the rest; a repeat of the batch finds its own row.
  const own = sql`exists (select 1 from users where id = ${userId})`;
  const account = sql`select ${accountId}, ${accountName}, 'free', ${now}, null where ${own}`;
  const membership = sql`select ${userId}, ${accountId}, 'owner' where ${own}`;
  await batch(db, [
    db.insert(users).values({ id: userId, email, name, passwordHash, createdAt: now }).onConflictDoNothing(),
    db.insert(accounts).select(account).onConflictDoNothing(),
    db.insert(memberships).select(membership).onConflictDoNothing(),
  ]);
  return (await findUserByEmail(db, email))?.id === userId;
}

export async function findUserByEmail(
  db: Database,
  email: string,
): Promise<typeof users.$inferSelect | null> {
  return (await db.select().from(users).where(eq(users.email, email)).limit(1))[0] ?? null;
}

/** Who a user is, and in which account with which role; null when the user or the membership is gone. */
export async function findMember(db: Database, userId: string, accountId?: string) {
  const rows = await db
    .select({
      user: { id: users.id, email: users.email, name: users.name },
      account: { id: accounts.id, name: accounts.name, role: memberships.role },
    })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .innerJoin(accounts, eq(accounts.id, memberships.accountId))
    .where(
      accountId === undefined
        ? eq(memberships.userId, userId)
        : sql`${memberships.userId} = ${userId} and ${memberships.accountId} = ${accountId}`,
    )
    .orderBy(memberships.accountId)
    .limit(1);
  return rows[0] ?? null;
}
