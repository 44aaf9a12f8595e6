import { type BareEntry, type ChainedEntry, chained } from './chain.ts';

type Row = Record<string, SqlStorageValue> & {
  seq: number;
  id: string;
  at: number;
  actor: string;
  actor_name: string | null;
  action: string;
  target: string;
  target_name: string | null;
  address: string | null;
  request_id: string;
  previous_hash: string;
  hash: string;
};

const entryOf = (row: Row): ChainedEntry => ({
  seq: row.seq,
  id: row.id,
  at: row.at,
  actor: row.actor,
  actorName: row.actor_name,
  action: row.action,
  target: row.target,
  targetName: row.target_name,
  address: row.address,
  requestId: row.request_id,
  previousHash: row.previous_hash,
  hash: row.hash,
});

/** The chain of one account as it is stored. */
export class ChainRows {
  readonly #storage: DurableObjectStorage;
  readonly #accountId: string;

  constructor(storage: DurableObjectStorage, accountId: string) {
    this.#storage = storage;
    this.#accountId = accountId;
  }

  /** Puts entries at the end, in this order; those that are there already change nothing. */
  append(entries: readonly BareEntry[]): void {
    const { sql } = this.#storage;
    this.#storage.transactionSync(() => {
      let last: Pick<ChainedEntry, 'seq' | 'hash'> | null = this.newest(1, undefined)[0] ?? null;
      for (const entry of entries) {
        if (sql.exec('SELECT 1 FROM entries WHERE id = ?', entry.id).toArray().length > 0) continue;
        const placed = chained(this.#accountId, entry, last);
        sql.exec(
          'INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
          ...[placed.seq, placed.id, placed.at, placed.actor, placed.actorName, placed.action, placed.target],
          ...[placed.targetName, placed.address, placed.requestId, placed.previousHash, placed.hash],
        );
        last = placed;
      }
    });
  }

  /** Newest first, from before the entry of this id. */
  newest(limit: number, beforeId: string | undefined): ChainedEntry[] {
    const rows =
      beforeId === undefined
        ? this.#storage.sql.exec<Row>('SELECT * FROM entries ORDER BY seq DESC LIMIT ?', limit)
        : this.#storage.sql.exec<Row>(
            `SELECT * FROM entries WHERE seq < (SELECT seq FROM entries WHERE id = ?)
             ORDER BY seq DESC LIMIT ?`,
            beforeId,
            limit,
          );
    return rows.toArray().map(entryOf);
  }

  /** In the order of the chain, from behind this place. */
  after(seq: number, limit: number): ChainedEntry[] {
    return this.#storage.sql
      .exec<Row>('SELECT * FROM entries WHERE seq > ? ORDER BY seq LIMIT ?', seq, limit)
      .toArray()
      .map(entryOf);
  }
}
