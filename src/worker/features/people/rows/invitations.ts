import { and, eq, gt, sql } from 'drizzle-orm';
import { invitations } from '../../../../database/identity-schema.ts';
import { accounts, memberships, users } from '../../../../database/schema.ts';
import { accountRows } from '../../../db/account-rows.ts';
import { batch, type Database } from '../../../db/database.ts';
import { type AuditContext, auditEntry } from '../../audit-log/rows.ts';

export type InvitationRow = typeof invitations.$inferSelect;

const { own, list } = accountRows(invitations);

/** Stores an invitation in place of an earlier one of the same address, with its entry in the audit log. */
export async function insertInvitation(row: InvitationRow, audit: AuditContext): Promise<void> {
  const { db } = audit;
  const { accountId, email, role } = row;
  await batch(db, [
    db
      .delete(invitations)
      .where(
        and(
          eq(invitations.accountId, accountId),
          eq(invitations.email, email),
          sql`${invitations.id} <> ${row.id}`,
        ),
      ),
    db.insert(invitations).values(row).onConflictDoNothing(),
    auditEntry(audit, 'invitation.created', `invitation:${row.id}`, `${email} as ${role}`),
  ]);
}

/** Open invitations, newest first, one more than the page holds. */
export const listInvitations = (
  db: Database,
  accountId: string,
  limit: number,
  before: string | undefined,
  now = Date.now(),
) => list(db, accountId, limit, before, gt(invitations.expiresAt, now));

/** Withdraws an invitation, with its entry in the audit log; false when there is no such open one. */
export async function withdrawInvitation(
  accountId: string,
  id: string,
  audit: AuditContext,
): Promise<boolean> {
  const { db } = audit;
  const open = and(own(accountId, id), gt(invitations.expiresAt, Date.now()));
  const row = (await db.select().from(invitations).where(open).limit(1))[0];
  if (row === undefined) return false;
  await batch(db, [
    db.delete(invitations).where(open),
    auditEntry(audit, 'invitation.withdrawn', `invitation:${id}`, row.email, true),
  ]);
  return true;
}

/** Whether who has invited may still do so: they are a member, as an owner, or as an admin who makes no owner. */
const inviterMay = sql`exists (select 1 from memberships
  where memberships.account_id = invitations.account_id and memberships.user_id = invitations.invited_by
    and (memberships.role = 'owner' or (memberships.role = 'admin' and invitations.role <> 'owner')))`;

/** For the batch that takes somebody's role away: their invitations go that they may not make any more. */
export const withdrawOverreaching = (db: Database, accountId: string, inviterId: string) =>
  db
    .delete(invitations)
    .where(
      and(eq(invitations.accountId, accountId), eq(invitations.invitedBy, inviterId), sql`not ${inviterMay}`),
    );

/** The open invitation that this token is for, and the account that it leads to. */
export async function findInvitation(db: Database, tokenHash: string, now: number) {
  const rows = await db
    .select({ invitation: invitations, account: { id: accounts.id, name: accounts.name } })
    .from(invitations)
    .innerJoin(accounts, eq(accounts.id, invitations.accountId))
    .where(and(eq(invitations.tokenHash, tokenHash), gt(invitations.expiresAt, now), inviterMay))
    .limit(1);
  return rows[0] ?? null;
}

/** Who accepts: a user that is there, or a new one with a password. */
export interface Invitee {
  userId: string;
  newUser: { name: string; passwordHash: string } | null;
}

/**
 * Makes the invited person a member, creates their user if there is none, and uses up the invitation. False if somebody else
 * was quicker with the same token, or the same e-mail address.
 */
export async function acceptInvitation(
  invitation: InvitationRow,
  { userId, newUser }: Invitee,
  now: number,
  audit: AuditContext,
): Promise<boolean> {
  const { db } = audit;
  const { id, accountId, email, role } = invitation;
  const open = sql`exists (select 1 from invitations where id = ${id} and ${inviterMay})`;
  const own = sql`exists (select 1 from users where id = ${userId})`;
  const user = sql`select ${userId}, ${email}, ${newUser?.name ?? ''}, ${newUser?.passwordHash ?? ''}, ${now} where ${open}`;
  // Who is a member already keeps their role: an invitation neither raises nor lowers it.
  const membership = sql`select ${userId}, ${accountId}, ${role} where ${open} and ${own}`;
  await batch(db, [
    ...(newUser === null ? [] : [db.insert(users).select(user).onConflictDoNothing()]),
    db.insert(memberships).select(membership).onConflictDoNothing(),
    auditEntry(audit, 'member.joined', `user:${userId}`, `${email} as ${role}`, true),
    db.delete(invitations).where(and(eq(invitations.id, id), own)),
  ]);
  const rows = await db
    .select({ userId: memberships.userId })
    .from(memberships)
    .where(and(eq(memberships.userId, userId), eq(memberships.accountId, accountId)))
    .limit(1);
  return rows.length > 0;
}
