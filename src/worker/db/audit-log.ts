import { and, desc, eq, lt } from 'drizzle-orm';
import { auditLog } from '../../database/schema.ts';
import { newUuid } from '../../durable/new-ids.ts';
import type { Caller } from '../app-env.ts';
import type { Database, Statement } from './database.ts';

export type AuditEntry = typeof auditLog.$inferSelect;

/** Who did it, under which request. */
export interface AuditContext {
  caller: Caller;
  requestId: string;
}

const actorOf = (caller: Caller): string =>
  caller.kind === 'user' ? `user:${caller.userId}` : `key:${caller.keyId}`;

/** The entry of an admin change, for the batch that makes the change; `target` is `kind:id`. */
export function auditEntry(
  db: Database,
  { caller, requestId }: AuditContext,
  action: string,
  target: string,
  targetName: string | null,
): Statement {
  const accountId = caller.accountId;
  const row = {
    accountId,
    id: newUuid(),
    at: Date.now(),
    actor: actorOf(caller),
    action,
    target,
    targetName,
    requestId,
  };
  // The id is chosen here, so a batch that is repeated writes the entry once.
  return db.insert(auditLog).values(row).onConflictDoNothing();
}

/** Newest first, one row more than the page holds. */
export function listAuditLog(db: Database, accountId: string, limit: number, before: string | undefined) {
  return db
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.accountId, accountId), before === undefined ? undefined : lt(auditLog.id, before)))
    .orderBy(desc(auditLog.id))
    .limit(limit + 1);
}
