import { and, count, eq, isNotNull, isNull, lt } from 'drizzle-orm';
import { recoveryCodes, twoFactors } from '../../../../database/identity-schema.ts';
import { batch, type Database, type Statement } from '../../../db/database.ts';
import { type AuditContext, auditEntry } from '../../audit-log/rows.ts';

export type TwoFactorRow = typeof twoFactors.$inferSelect;

export async function findTwoFactor(db: Database, userId: string): Promise<TwoFactorRow | null> {
  return (await db.select().from(twoFactors).where(eq(twoFactors.userId, userId)).limit(1))[0] ?? null;
}

/** Keeps a secret that still has to be confirmed; one that is confirmed is never overwritten. */
export async function insertPendingSecret(db: Database, userId: string, sealedSecret: string): Promise<void> {
  await batch(db, [
    db
      .insert(twoFactors)
      .values({ userId, sealedSecret, confirmedAt: null, lastStep: 0 })
      .onConflictDoUpdate({
        target: twoFactors.userId,
        set: { sealedSecret, lastStep: 0 },
        setWhere: isNull(twoFactors.confirmedAt),
      }),
  ]);
}

/** Marks a time step as used; false when it, or a later one, was used already. */
export async function useStep(db: Database, userId: string, step: number): Promise<boolean> {
  const rows = await db
    .update(twoFactors)
    .set({ lastStep: step })
    .where(and(eq(twoFactors.userId, userId), lt(twoFactors.lastStep, step)))
    .returning({ userId: twoFactors.userId });
  return rows.length > 0;
}

const replaceCodes = (db: Database, userId: string, codeHashes: readonly string[]): Statement[] => [
  db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId)),
  db
    .insert(recoveryCodes)
    .values(codeHashes.map((codeHash) => ({ userId, codeHash })))
    .onConflictDoNothing(),
];

/** From now on signing in takes a code. */
export async function confirmTwoFactor(
  userId: string,
  codeHashes: readonly string[],
  now: number,
  audit: AuditContext,
): Promise<void> {
  const { db } = audit;
  await batch(db, [
    ...replaceCodes(db, userId, codeHashes),
    db
      .update(twoFactors)
      .set({ confirmedAt: now })
      .where(and(eq(twoFactors.userId, userId), isNull(twoFactors.confirmedAt))),
    auditEntry(audit, 'user.two_factor_enabled', `user:${userId}`, null, true),
  ]);
}

export async function renewRecoveryCodes(
  userId: string,
  codeHashes: readonly string[],
  audit: AuditContext,
): Promise<void> {
  const { db } = audit;
  await batch(db, [
    ...replaceCodes(db, userId, codeHashes),
    auditEntry(audit, 'user.recovery_codes_renewed', `user:${userId}`, null),
  ]);
}

export async function removeTwoFactor(userId: string, audit: AuditContext): Promise<void> {
  const { db } = audit;
  await batch(db, [
    db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId)),
    db.delete(twoFactors).where(and(eq(twoFactors.userId, userId), isNotNull(twoFactors.confirmedAt))),
    auditEntry(audit, 'user.two_factor_disabled', `user:${userId}`, null, true),
  ]);
}

/** Uses a recovery code up; false when there is no such one (any more). */
export async function useRecoveryCode(db: Database, userId: string, codeHash: string): Promise<boolean> {
  const rows = await db
    .delete(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.codeHash, codeHash)))
    .returning();
  return rows.length > 0;
}

export async function recoveryCodesLeft(db: Database, userId: string): Promise<number> {
  const rows = await db.select({ left: count() }).from(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  return rows[0]?.left ?? 0;
}
