import { lt, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import { auditOutbox } from '../../../database/schema.ts';
import { newUuid } from '../../../durable/new-ids.ts';
import type { Caller } from '../../app-env.ts';
import { batch, type Database } from '../../db/database.ts';

/** Where a change is stored, under which request, and from where it comes. */
export interface AuditSource {
  db: Database;
  requestId: string;
  /** The network address; null where it is not known. */
  address: string | null;
  /** The accounts that an entry was made for: their logs are told when the request is answered. */
  accountsToTell: Set<string>;
}

/** A change that is to be made, and who makes it. */
export interface AuditContext extends AuditSource {
  caller: AuditedCaller;
}
type AuditedCaller = AuditedPerson | Extract<Caller, { kind: 'key' }> | AuditedOperator | AuditedReader;
/** Whoever runs the gateway: nobody of the account. */
type AuditedOperator = { kind: 'operator'; accountId: string };
/** Who has opened a link in a mail at this address, and may have no user here. */
type AuditedReader = { kind: 'mailed_link'; accountId: string; email: string };
type AuditedPerson = Pick<Extract<Caller, { kind: 'user' }>, 'kind' | 'accountId' | 'userId' | 'email'>;

function actorOf(caller: AuditedCaller): { actor: string; actorName: string | null } {
  switch (caller.kind) {
    case 'user':
      return { actor: `user:${caller.userId}`, actorName: caller.email };
    case 'key':
      return { actor: `key:${caller.keyId}`, actorName: caller.keyName };
    case 'mailed_link':
      return { actor: 'mailed_link', actorName: caller.email };
    case 'operator':
      return { actor: 'operator', actorName: null };
  }
}

/**
 * The entry of an admin change, for the batch that makes the change. It waits in the outbox until the account's `AuditLog` has
 * added it to its chain. `target` is `kind:id`. With `ifChanged` it is written only if the statement right before it changed a
 * row.
 */
export function auditEntry(
  { db, caller, requestId, address, accountsToTell }: AuditContext,
  action: string,
  target: string,
  targetName: string | null,
  ifChanged = false,
): BatchItem<'sqlite'> {
  const { accountId } = caller;
  accountsToTell.add(accountId);
  const { actor, actorName } = actorOf(caller);
  // The id is chosen here, so a batch that is repeated writes the entry once. In the order of the table's columns.
  const entry = sql`
    select ${accountId}, ${newUuid()}, ${Date.now()}, ${actor}, ${actorName}, ${action}, ${target}, ${targetName},
      ${address}, ${requestId}
    where ${ifChanged ? sql`changes() > 0` : sql`true`}`;
  return db.insert(auditOutbox).select(entry).onConflictDoNothing();
}

/** The entry of a change that is made elsewhere: in an object, or by a call. */
export async function writeAuditEntry(
  audit: AuditContext,
  action: string,
  target: string,
  targetName: string | null = null,
): Promise<void> {
  await batch(audit.db, [auditEntry(audit, action, target, targetName)]);
}

/** Accounts with entries from before this time that no chain has yet: any of them, so that none is in the way of the others. */
export async function accountsWithWaitingEntries(
  db: Database,
  before: number,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectDistinct({ accountId: auditOutbox.accountId })
    .from(auditOutbox)
    .where(lt(auditOutbox.at, before))
    .orderBy(sql`random()`)
    .limit(limit);
  return rows.map(({ accountId }) => accountId);
}
