import { createHash } from 'node:crypto';
import { fieldsOf, insertRow, type RowOf, rowOf, Tables } from '../storage/rows.ts';

/** What an entry says: who did what, to what, when, from where. */
export interface BareEntry {
  id: string;
  at: number;
  /** `user:<id>`, `key:<id>` or `operator`. */
  actor: string;
  /** The actor's name at that time. */
  actorName: string | null;
  action: string;
  /** By kind and id: `api_key:<id>`. */
  target: string;
  targetName: string | null;
  /** The network address that the request came from. */
  address: string | null;
  requestId: string;
}

/** An entry in its place: numbered from 1, with the hash of the one before it. */
export interface ChainedEntry extends BareEntry {
  seq: number;
  previousHash: string;
  hash: string;
}

/** Stands before the first entry of every account. */
export const genesisHash = '0'.repeat(64);

/** Lower-case hex SHA-256 of all that an entry says and where it stands: a change of any of it changes the hash. */
function hashOf(accountId: string, entry: Omit<ChainedEntry, 'hash'>): string {
  const { previousHash, seq, id, at, actor, actorName, action, target, targetName, address, requestId } =
    entry;
  const said = [previousHash, accountId, seq, id, at, actor, actorName];
  return createHash('sha256')
    .update(JSON.stringify([...said, action, target, targetName, address, requestId]))
    .digest('hex');
}

/** The entry that follows `last`; null: the first one. */
export function chained(
  accountId: string,
  entry: BareEntry,
  last: Pick<ChainedEntry, 'seq' | 'hash'> | null,
): ChainedEntry {
  const placed = { ...entry, seq: (last?.seq ?? 0) + 1, previousHash: last?.hash ?? genesisHash };
  return { ...placed, hash: hashOf(accountId, placed) };
}

export type Flaw = 'changed' | 'missing_before';

/** Why an entry does not hold in this place; null when it does. */
export function flawOf(
  accountId: string,
  entry: ChainedEntry,
  seq: number,
  previousHash: string,
): Flaw | null {
  if (entry.seq !== seq) return 'missing_before';
  const holds = entry.previousHash === previousHash && entry.hash === hashOf(accountId, entry);
  return holds ? null : 'changed';
}

type Row = RowOf<ChainedEntry>;

/** The chain of one account as it is stored. */
export class ChainRows extends Tables {
  readonly #storage: DurableObjectStorage;
  readonly #accountId: string;

  constructor(storage: DurableObjectStorage, accountId: string) {
    super(storage.sql);
    this.#storage = storage;
    this.#accountId = accountId;
  }

  /** Puts entries at the end, in this order; those that are there already change nothing. */
  append(entries: readonly BareEntry[]): void {
    this.#storage.transactionSync(() => {
      let last: Pick<ChainedEntry, 'seq' | 'hash'> | null = this.newest(1, undefined)[0] ?? null;
      for (const entry of entries) {
        if (this.queryAny('SELECT 1 FROM entries WHERE id = ?', entry.id)) continue;
        const placed = chained(this.#accountId, entry, last);
        insertRow(this.sql, 'INSERT INTO entries', rowOf(placed));
        last = placed;
      }
    });
  }

  /** Newest first, from before the entry of this id. */
  newest(limit: number, beforeId: string | undefined): ChainedEntry[] {
    if (beforeId === undefined) return this.#read('true ORDER BY seq DESC LIMIT ?', limit);
    const before = 'seq < (SELECT seq FROM entries WHERE id = ?)';
    return this.#read(`${before} ORDER BY seq DESC LIMIT ?`, beforeId, limit);
  }

  /** In the order of the chain, from behind this place. */
  after(seq: number, limit: number): ChainedEntry[] {
    return this.#read('seq > ? ORDER BY seq LIMIT ?', seq, limit);
  }

  #read(condition: string, ...values: SqlStorageValue[]): ChainedEntry[] {
    const rows = this.queryAll<Row>(`SELECT * FROM entries WHERE ${condition}`, ...values);
    return rows.map((row) => fieldsOf<ChainedEntry>(row));
  }
}
