import { and, desc, eq, gt, isNull, lt, ne, type SQL, sql } from 'drizzle-orm';
import { sessions } from '../../../../database/identity-schema.ts';
import { accounts, memberships, users } from '../../../../database/schema.ts';
import { batch, type Database } from '../../../db/database.ts';
import { type AuditContext, type AuditSource, auditEntry } from '../../audit-log/rows.ts';

export type SessionRow = typeof sessions.$inferSelect;

/** How long a session lives, however often it is refreshed: after that the password is asked for again. */
export const sessionLifetimeMs = 30 * 24 * 3600 * 1000;

/** A member of an account, as the dashboard's answers show them. */
export interface Member {
  user: { id: string; email: string; name: string };
  account: { id: string; name: string; role: 'owner' | 'admin' | 'agent' };
}

export interface NewSession {
  id: string;
  member: Member;
  userAgent: string | null;
  now: number;
}

/** Stores a session at its start, with its entry in the audit log. */
export async function startSession(session: NewSession, audit: AuditContext): Promise<void> {
  const { db } = audit;
  const { id, member, userAgent, now } = session;
  const row: SessionRow = {
    id,
    userId: member.user.id,
    accountId: member.account.id,
    generation: 1,
    createdAt: now,
    lastUsedAt: now,
    expiresAt: now + sessionLifetimeMs,
    endedAt: null,
    address: audit.address,
    userAgent,
    confirmedAt: now,
  };
  await batch(db, [
    db.insert(sessions).values(row).onConflictDoNothing(),
    auditEntry(audit, 'session.started', `session:${id}`, null),
  ]);
}

const live = (now: number) => and(isNull(sessions.endedAt), gt(sessions.expiresAt, now));

/**
 * The person that a token belongs to; null if its session is over, or the person is not a member any more. The role is the
 * current one, so a change is effective with the next request.
 */
export async function findSignedIn(
  db: Database,
  token: { userId: string; accountId: string; sessionId: string },
  now: number,
) {
  const rows = await db
    .select({ role: memberships.role, email: users.email, confirmedAt: sessions.confirmedAt })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .innerJoin(
      sessions,
      and(eq(sessions.id, token.sessionId), eq(sessions.userId, memberships.userId), live(now)),
    )
    .where(and(eq(memberships.userId, token.userId), eq(memberships.accountId, token.accountId)))
    .limit(1);
  return rows[0] ?? null;
}

/**
 * Raises the generation of a live session, if it is still the one presented. Not repeated by itself: a repeat would look like a second use.
 */
export async function rotateSession(db: Database, id: string, generation: number, now: number) {
  const rows = await db
    .update(sessions)
    .set({ generation: generation + 1, lastUsedAt: now })
    .where(and(eq(sessions.id, id), eq(sessions.generation, generation), live(now)))
    .returning();
  return rows[0] ?? null;
}

/**
 * How long after a refresh the previous cookie is still valid. A page that was closed before it got the response presents that
 * cookie again, and is no thief.
 */
const repeatedRefreshMs = 10_000;

/** The session whose last refresh was made with this cookie, a moment ago; null when it was another one, or longer ago. */
export async function sessionJustRotated(db: Database, id: string, generation: number, now: number) {
  const before = eq(sessions.generation, generation + 1);
  const justNow = gt(sessions.lastUsedAt, now - repeatedRefreshMs);
  const found = and(eq(sessions.id, id), before, justNow, live(now));
  return (await db.select().from(sessions).where(found).limit(1))[0] ?? null;
}

/**
 * Ends a session whose earlier cookie was used again: somebody has a copy. False if it was over already. The audit log of the
 * session's account has an entry.
 */
export async function endReusedSession(
  { sessionId, generation }: { sessionId: string; generation: number },
  from: AuditSource,
  now: number,
): Promise<boolean> {
  const session = await findSession(from.db, sessionId);
  if (session === null || session.generation <= generation) return false;
  return endSession(session, from, 'session.ended_by_reuse', now);
}

/** The session goes on in another account. */
export async function moveSession(db: Database, id: string, accountId: string): Promise<void> {
  await batch(db, [db.update(sessions).set({ accountId }).where(eq(sessions.id, id))]);
}

/** Ends one of a person's sessions, with its entry in the audit log of the session's account; false when it was over. */
export async function endSession(
  { id, userId }: Pick<SessionRow, 'id' | 'userId'>,
  from: AuditSource,
  action = 'session.ended',
  now = Date.now(),
): Promise<boolean> {
  const { db } = from;
  const own = and(eq(sessions.id, id), eq(sessions.userId, userId), live(now));
  const rows = await db
    .select({ accountId: sessions.accountId, email: users.email })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(own)
    .limit(1);
  const found = rows[0];
  if (found === undefined) return false;
  const caller = { kind: 'user' as const, userId, ...found };
  await batch(db, [
    db.update(sessions).set({ endedAt: now }).where(own),
    auditEntry({ caller, ...from }, action, `session:${id}`, null, true),
  ]);
  return true;
}

/** The person has shown that it is them. */
export async function confirmSession(db: Database, id: string, at: number): Promise<void> {
  await batch(db, [db.update(sessions).set({ confirmedAt: at }).where(eq(sessions.id, id))]);
}

/** Ends all of a person's sessions but one, with an entry in the audit log where there were any. */
export async function endOthers(keptId: string | null, audit: AuditContext): Promise<void> {
  const { db } = audit;
  const { caller } = audit;
  if (caller.kind !== 'user') throw new Error('only people have sessions');
  await batch(db, [
    endOtherSessions(db, caller.userId, keptId, Date.now()),
    auditEntry(audit, 'session.others_ended', `user:${caller.userId}`, caller.email, true),
  ]);
}

/** For a batch: ends all of a person's sessions but one. */
export function endOtherSessions(db: Database, userId: string, keptId: string | null, now: number) {
  const others: SQL | undefined = keptId === null ? undefined : ne(sessions.id, keptId);
  return db
    .update(sessions)
    .set({ endedAt: now })
    .where(and(eq(sessions.userId, userId), isNull(sessions.endedAt), others));
}

export async function findSession(db: Database, id: string): Promise<SessionRow | null> {
  return (await db.select().from(sessions).where(eq(sessions.id, id)).limit(1))[0] ?? null;
}

/** A person's live sessions, newest first, one more than the page holds. */
export function listSessions(
  db: Database,
  userId: string,
  limit: number,
  before: string | undefined,
  now = Date.now(),
) {
  return db
    .select()
    .from(sessions)
    .where(
      and(eq(sessions.userId, userId), live(now), before === undefined ? undefined : lt(sessions.id, before)),
    )
    .orderBy(desc(sessions.id))
    .limit(limit + 1);
}

/** A membership of a person: the named one, else the one they used last. Null when there is none (any more). */
export async function findMember(db: Database, userId: string, accountId?: string): Promise<Member | null> {
  const lastUsed = sql`(select max(last_used_at) from sessions
    where sessions.user_id = ${memberships.userId} and sessions.account_id = ${memberships.accountId})`;
  const rows = await db
    .select({
      user: { id: users.id, email: users.email, name: users.name },
      account: { id: accounts.id, name: accounts.name, role: memberships.role },
    })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .innerJoin(accounts, eq(accounts.id, memberships.accountId))
    .where(
      and(
        eq(memberships.userId, userId),
        accountId === undefined ? undefined : eq(memberships.accountId, accountId),
      ),
    )
    .orderBy(sql`${lastUsed} desc nulls last`, memberships.accountId)
    .limit(1);
  return rows[0] ?? null;
}
