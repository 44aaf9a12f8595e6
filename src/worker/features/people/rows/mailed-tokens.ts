import { and, eq, gt, lt, ne } from 'drizzle-orm';
import {
  invitations,
  mailedTokens,
  type PendingSignUp,
  sessions,
} from '../../../../database/identity-schema.ts';
import { users } from '../../../../database/schema.ts';
import { batch, type Database } from '../../../db/database.ts';
import { type AuditContext, auditEntry } from '../../audit-log/rows.ts';
import { endOtherSessions } from './sessions.ts';

const unused = (tokenHash: string, purpose: 'sign_up' | 'password_reset', now: number) =>
  and(
    eq(mailedTokens.tokenHash, tokenHash),
    eq(mailedTokens.purpose, purpose),
    gt(mailedTokens.expiresAt, now),
  );

/** Stores the token that a person will get by mail; an earlier one for the same address and purpose ends. */
export async function insertMailedToken(db: Database, row: typeof mailedTokens.$inferInsert): Promise<void> {
  const { tokenHash, email, purpose } = row;
  const earlier = and(
    eq(mailedTokens.email, email),
    eq(mailedTokens.purpose, purpose),
    ne(mailedTokens.tokenHash, tokenHash),
  );
  await batch(db, [
    db.delete(mailedTokens).where(earlier),
    db.insert(mailedTokens).values(row).onConflictDoNothing(),
  ]);
}

/** Uses up the token of a sign-up: who presents it second gets null. */
export async function takeSignUp(
  db: Database,
  tokenHash: string,
  now: number,
): Promise<(PendingSignUp & { email: string }) | null> {
  const rows = await db
    .delete(mailedTokens)
    .where(unused(tokenHash, 'sign_up', now))
    .returning();
  const row = rows[0];
  return row?.signUp ? { ...row.signUp, email: row.email } : null;
}

/** Uses up the token of a password reset and says whose it was: who presents it second gets null. */
export async function takeResetToken(db: Database, tokenHash: string, now: number): Promise<string | null> {
  const rows = await db
    .delete(mailedTokens)
    .where(unused(tokenHash, 'password_reset', now))
    .returning();
  return rows[0]?.userId ?? null;
}

/**
 * Sets a person's new password. Their other sessions and password resets end. Each account named gets an entry in its audit log.
 */
export async function changePassword(
  db: Database,
  change: { userId: string; email: string; passwordHash: string; keptSessionId: string | null },
  audits: readonly AuditContext[],
): Promise<void> {
  const { userId, email, passwordHash, keptSessionId } = change;
  await batch(db, [
    db.update(users).set({ passwordHash }).where(eq(users.id, userId)),
    db.delete(mailedTokens).where(eq(mailedTokens.userId, userId)),
    endOtherSessions(db, userId, keptSessionId, Date.now()),
    ...audits.map((audit) => auditEntry(audit, 'user.password_changed', `user:${userId}`, email)),
  ]);
}

/** The same password under another hash, unless it was changed meanwhile. */
export async function replaceHash(
  db: Database,
  userId: string,
  earlierHash: string,
  passwordHash: string,
): Promise<void> {
  await batch(db, [
    db
      .update(users)
      .set({ passwordHash })
      .where(and(eq(users.id, userId), eq(users.passwordHash, earlierHash))),
  ]);
}

/** Deletes what is over: tokens, invitations, and sessions a while after their end. */
export async function forgetExpired(db: Database, now: number): Promise<void> {
  await batch(db, [
    db.delete(mailedTokens).where(lt(mailedTokens.expiresAt, now)),
    db.delete(invitations).where(lt(invitations.expiresAt, now)),
    db.delete(sessions).where(lt(sessions.expiresAt, now)),
  ]);
}
