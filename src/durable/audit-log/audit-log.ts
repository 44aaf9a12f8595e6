import { asc, eq, sql } from 'drizzle-orm';
import { openDatabase } from '../../database/open-database.ts';
import { auditOutbox } from '../../database/schema.ts';
import { BackedUpObject } from '../backup/backed-up-object.ts';
import { SharedRun } from '../shared-run.ts';
import { migrateObject } from '../storage/object-migrations.ts';
import { type BareEntry, type ChainedEntry, ChainRows, type Flaw, flawOf, genesisHash } from './chain.ts';
import { auditLogMigrations } from './migrations.ts';

interface ChainVerdict {
  valid: boolean;
  /** Entries that hold, from the first on. */
  entries: number;
  /** Of the last entry that holds: whoever keeps it elsewhere can prove later that nothing before it was rewritten. */
  lastHash: string | null;
  brokenAt: { id: string; reason: Flaw } | null;
}

const collectedAtOnce = 200;
const verifiedAtOnce = 500;

/**
 * The audit log of one account: a chain in which each entry has the hash of the one before. Owns the chain, in SQLite, and is
 * its only writer. A change writes its entry into the outbox in D1, in the same batch. This object takes the entries from
 * there, so it may be unavailable during the change. Memory has nothing that could be lost.
 */
export class AuditLog extends BackedUpObject {
  readonly #accountId: string;
  readonly #rows: ChainRows;
  readonly #collecting = new SharedRun(() => this.#collect());

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    if (ctx.id.name === undefined) throw new Error('an audit log is known by the id of its account');
    this.#accountId = ctx.id.name;
    migrateObject(ctx.storage, auditLogMigrations);
    this.#rows = new ChainRows(ctx.storage, this.#accountId);
  }

  /** Takes over what waits in the outbox. */
  collect(): Promise<void> {
    return this.#collecting.run();
  }

  /** Newest first, with everything that was recorded before the call. */
  async list(limit: number, beforeId: string | undefined): Promise<ChainedEntry[]> {
    await this.collect();
    return this.#rows.newest(limit, beforeId);
  }

  /** Follows the chain from its first entry; stops at the first that does not hold. */
  async verify(): Promise<ChainVerdict> {
    await this.collect();
    const holds = { entries: 0, lastHash: null as string | null };
    for (;;) {
      const entries = this.#rows.after(holds.entries, verifiedAtOnce);
      for (const entry of entries) {
        const reason = flawOf(this.#accountId, entry, holds.entries + 1, holds.lastHash ?? genesisHash);
        if (reason !== null) return { valid: false, ...holds, brokenAt: { id: entry.id, reason } };
        holds.entries += 1;
        holds.lastHash = entry.hash;
      }
      if (entries.length < verifiedAtOnce) return { valid: true, ...holds, brokenAt: null };
    }
  }

  async #collect(): Promise<void> {
    for (;;) {
      const entries = await readOutbox(this.env.DB, this.#accountId, collectedAtOnce);
      if (entries.length === 0) return;
      this.#rows.append(entries);
      await forgetInOutbox(
        this.env.DB,
        this.#accountId,
        entries.map(({ id }) => id),
      );
      if (entries.length < collectedAtOnce) return;
    }
  }
}

/** Entries of an account that wait in D1 for their place in the chain, the oldest first. */
async function readOutbox(d1: D1Database, accountId: string, limit: number): Promise<BareEntry[]> {
  const rows = await openDatabase(d1)
    .select()
    .from(auditOutbox)
    .where(eq(auditOutbox.accountId, accountId))
    .orderBy(asc(auditOutbox.id))
    .limit(limit);
  return rows.map(({ accountId: _own, ...entry }) => entry);
}

/** The chain has them. */
async function forgetInOutbox(d1: D1Database, accountId: string, ids: readonly string[]): Promise<void> {
  await openDatabase(d1)
    .delete(auditOutbox)
    .where(sql`account_id = ${accountId} and id in (select value from json_each(${JSON.stringify(ids)}))`);
}
