import { and, desc, eq, lt, or, type SQL, sql } from 'drizzle-orm';
import { memberships, users } from '../../../../database/schema.ts';
import { batch, type Database } from '../../../db/database.ts';
import type { Role } from '../../account/rows/accounts.ts';
import { raiseRevision } from '../../account/rows/revision.ts';
import { type AuditContext, auditEntry } from '../../audit-log/rows.ts';
import { withdrawOverreaching } from './invitations.ts';

export interface MemberRow {
  userId: string;
  email: string;
  name: string;
  role: Role;
}

const columns = { userId: memberships.userId, email: users.email, name: users.name, role: memberships.role };
const own = (accountId: string, userId: string) =>
  and(eq(memberships.accountId, accountId), eq(memberships.userId, userId));

/** The members of an account, newest user first, one more than the page holds. */
export function listMembers(
  db: Database,
  accountId: string,
  limit: number,
  before: string | undefined,
): Promise<MemberRow[]> {
  return db
    .select(columns)
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(
      and(
        eq(memberships.accountId, accountId),
        before === undefined ? undefined : lt(memberships.userId, before),
      ),
    )
    .orderBy(desc(memberships.userId))
    .limit(limit + 1);
}

/** The accounts that somebody belongs to. */
export async function accountIdsOf(db: Database, userId: string): Promise<string[]> {
  const rows = await db
    .select({ accountId: memberships.accountId })
    .from(memberships)
    .where(eq(memberships.userId, userId));
  return rows.map(({ accountId }) => accountId);
}

export async function findMemberRow(
  db: Database,
  accountId: string,
  userId: string,
): Promise<MemberRow | null> {
  const rows = await db
    .select(columns)
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(own(accountId, userId))
    .limit(1);
  return rows[0] ?? null;
}

/** Whether an account keeps an owner without this row; decided inside the statement that changes it. */
const notLastOwner = (accountId: string): SQL | undefined =>
  or(
    sql`${memberships.role} <> 'owner'`,
    sql`(select count(*) from memberships where account_id = ${accountId} and role = 'owner') > 1`,
  );

/**
 * Gives a member another role, with its entry in the audit log, and ends the invitations to higher roles that they sent. False
 * if the account would have no owner left.
 */
export async function changeRole(member: MemberRow, role: Role, audit: AuditContext): Promise<boolean> {
  const { db } = audit;
  const { accountId } = audit.caller;
  const keepsOwner = role === 'owner' ? undefined : notLastOwner(accountId);
  await batch(db, [
    db
      .update(memberships)
      .set({ role })
      .where(and(own(accountId, member.userId), keepsOwner)),
    auditEntry(audit, 'member.role_changed', `user:${member.userId}`, `${member.email} to ${role}`, true),
    withdrawOverreaching(db, accountId, member.userId),
  ]);
  return (await findMemberRow(db, accountId, member.userId))?.role === role;
}

/** Removes a member and their invitations, with its entry in the audit log; false when it is the last owner. */
export async function removeMember(member: MemberRow, audit: AuditContext): Promise<boolean> {
  const { db } = audit;
  const { accountId } = audit.caller;
  await batch(db, [
    db.delete(memberships).where(and(own(accountId, member.userId), notLastOwner(accountId))),
    auditEntry(audit, 'member.removed', `user:${member.userId}`, member.email, true),
    withdrawOverreaching(db, accountId, member.userId),
    raiseRevision(db, accountId),
  ]);
  return (await findMemberRow(db, accountId, member.userId)) === null;
}
