import { createHash } from 'node:crypto';
import { and, asc, desc, eq, gt, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm';
import { auditLog } from '../../database/schema.ts';
import { newUuid } from '../../durable/new-ids.ts';
import type { Caller } from '../app-env.ts';
import type { Database, LateStatement } from './database.ts';

export type AuditEntry = typeof auditLog.$inferSelect;

/** Under which request, and from where. */
export interface AuditSource {
  requestId: string;
  /** The network address; null where it is not known. */
  address: string | null;
}

/** Who did it. */
export interface AuditContext extends AuditSource {
  caller: AuditedCaller;
}
type AuditedCaller = AuditedPerson | Extract<Caller, { kind: 'key' }> | AuditedOperator;
/** Whoever runs the gateway: nobody of the account. */
type AuditedOperator = { kind: 'operator'; accountId: string };
type AuditedPerson = Pick<Extract<Caller, { kind: 'user' }>, 'kind' | 'accountId' | 'userId' | 'email'>;

/** Stands before the first entry of every account. */
const genesisHash = '0'.repeat(64);

function actorOf(caller: AuditedCaller): { actor: string; actorName: string | null } {
  switch (caller.kind) {
    case 'user':
      return { actor: `user:${caller.userId}`, actorName: caller.email };
    case 'key':
      return { actor: `key:${caller.keyId}`, actorName: null };
    case 'operator':
      return { actor: 'operator', actorName: null };
  }
}

/** What an entry says and where it stands, with the hash of the one before it: a change of any of it changes the hash. */
function hashOf(entry: Omit<AuditEntry, 'hash'>): string {
  const { previousHash, accountId, seq, id, at, actor, actorName } = entry;
  const { action, target, targetName, address, requestId } = entry;
  const said = [previousHash, accountId, seq, id, at, actor, actorName];
  return createHash('sha256')
    .update(JSON.stringify([...said, action, target, targetName, address, requestId]))
    .digest('hex');
}

/**
 * The entry of an admin change, for the batch that makes the change; `target` is `kind:id`. At most one an account and
 * batch. With `ifChanged` it is written only when the statement right before it changed a row.
 */
export function auditEntry(
  db: Database,
  { caller, requestId, address }: AuditContext,
  action: string,
  target: string,
  targetName: string | null,
  ifChanged = false,
): LateStatement {
  const { accountId } = caller;
  // The id is chosen here, so a batch that is repeated writes the entry once.
  const said = { accountId, id: newUuid(), at: Date.now(), ...actorOf(caller), action, target, targetName };
  return {
    async build() {
      const last = await lastEntry(db, accountId);
      const chained = {
        ...said,
        requestId,
        address,
        seq: (last?.seq ?? 0) + 1,
        previousHash: last?.hash ?? genesisHash,
      };
      const row = { ...chained, hash: hashOf(chained) };
      return () => insertOnce(db, row, ifChanged ? sql`changes() > 0` : sql`true`);
    },
    isOvertaken: (error) => messagesOf(error).includes('audit_log.account_id, audit_log.seq'),
  };
}

/** Two entries with one number are an error, so that the chain never forks; the same entry again is nothing. */
function insertOnce(db: Database, row: AuditEntry, condition: SQL) {
  const own = sql`account_id = ${row.accountId} and id = ${row.id}`;
  return db.insert(auditLog).select(sql`
    select ${row.accountId}, ${row.id}, ${row.at}, ${row.actor}, ${row.action}, ${row.target}, ${row.targetName},
      ${row.requestId}, ${row.actorName}, ${row.address}, ${row.seq}, ${row.previousHash}, ${row.hash}
    where ${condition} and not exists (select 1 from audit_log where ${own})`);
}

function messagesOf(error: unknown): string {
  const messages: string[] = [];
  for (let it = error; it instanceof Error; it = it.cause) messages.push(it.message);
  return messages.join('\n');
}

async function lastEntry(db: Database, accountId: string) {
  const rows = await db
    .select({ seq: auditLog.seq, hash: auditLog.hash })
    .from(auditLog)
    .where(and(eq(auditLog.accountId, accountId), isNotNull(auditLog.seq)))
    .orderBy(desc(auditLog.seq))
    .limit(1);
  return rows[0] ?? null;
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

export interface ChainVerdict {
  valid: boolean;
  /** Entries of the chain that hold, from the first on. */
  entries: number;
  /** Of the last entry that holds: whoever keeps it elsewhere can prove later that nothing before it was rewritten. */
  lastHash: string | null;
  brokenAt: { id: string; reason: 'changed' | 'missing_before' | 'outside_chain' } | null;
}

const verifiedAtOnce = 500;

/** Follows an account's chain from its first entry; stops at the first that does not hold. */
export async function verifyAuditLog(db: Database, accountId: string): Promise<ChainVerdict> {
  const holds = { entries: 0, lastHash: null as string | null };
  for (;;) {
    const rows = await db
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.accountId, accountId), gt(auditLog.seq, holds.entries)))
      .orderBy(asc(auditLog.seq))
      .limit(verifiedAtOnce);
    for (const row of rows) {
      const reason = flawOf(row, holds.entries + 1, holds.lastHash ?? genesisHash);
      if (reason !== null) return { valid: false, ...holds, brokenAt: { id: row.id, reason } };
      holds.entries += 1;
      holds.lastHash = row.hash;
    }
    if (rows.length < verifiedAtOnce) break;
  }
  const outside = await entryOutside(db, accountId);
  if (outside === null) return { valid: true, ...holds, brokenAt: null };
  return { valid: false, ...holds, brokenAt: { id: outside, reason: 'outside_chain' } };
}

function flawOf(row: AuditEntry, seq: number, previousHash: string): 'changed' | 'missing_before' | null {
  if (row.seq !== seq) return 'missing_before';
  return row.previousHash === previousHash && row.hash === hashOf(row) ? null : 'changed';
}

/** An entry without a place in the chain may only be older than the chain. */
async function entryOutside(db: Database, accountId: string): Promise<string | null> {
  const first = sql`(select at from audit_log where account_id = ${accountId} and seq = 1)`;
  const rows = await db
    .select({ id: auditLog.id })
    .from(auditLog)
    .where(and(eq(auditLog.accountId, accountId), isNull(auditLog.seq), sql`${auditLog.at} > ${first}`))
    .limit(1);
  return rows[0]?.id ?? null;
}
