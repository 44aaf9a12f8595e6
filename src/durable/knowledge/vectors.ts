import { endOfWait } from '../due-times.ts';
import { newUuid } from '../new-ids.ts';
import { Tables } from '../storage/rows.ts';
import { ownerWord } from './passages.ts';

/** What is to be done in the index of meanings, for whoever holds the lease. */
export interface VectorWork {
  lease: string;
  /** Nothing is stored after this time: somebody else may have the work by then. */
  until: number;
  /** Vectors of pieces that are gone. */
  remove: number[];
  /** Pieces of one assistant that have none yet; null: there are none. */
  add: { assistantId: string; pieces: { vector: number; text: string }[] } | null;
}

/** What came of it. */
export interface VectorsDone {
  /** In the index no more. */
  removed: number[];
  added: number[];
  /** Why those that were to be added could not be made; null: they were. */
  problem: string | null;
  /** Another try would bring the same: it is made seldom, or when what makes the vectors is set anew. */
  isFinal?: boolean;
  /** What makes the vectors of the assistant now, where that is another one; null: nothing does. */
  embedder?: string | null;
  /** The index did not answer. */
  isIndexGone?: boolean;
}

/** Nothing came of it, since the index did not answer. */
export const indexIsGone: VectorsDone = { removed: [], added: [], problem: null, isIndexGone: true };

/** How much of what an assistant knows can be found by its meaning. */
export interface Meaning {
  /** Whether anything makes vectors of it. */
  isOn: boolean;
  vectors: number;
  problem: string | null;
}

/** An id in the index: the account's own name for a vector is unique in the account alone. */
export const vectorId = (accountId: string, vector: number): string => `${accountId}.${vector}`;

/** The account's own name for it; null: it is another account's. */
export function vectorOf(accountId: string, id: string): number | null {
  const [account, vector] = id.split('.');
  return account === accountId && /^\d{1,15}$/.test(vector ?? '') ? Number(vector) : null;
}

/** What is known here of the index of meanings, which is outside of the object. Empty where the deployment has none. */
export const vectorTablesSql = `
  -- The vectors of pieces. id: never used twice, so that what is taken away late meets no newer one. chunk: null once the
  -- piece is gone, and its vector has to go too. stored: 1 once the index has it.
  CREATE TABLE chunk_vectors (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    chunk INTEGER UNIQUE,
    owner TEXT NOT NULL,
    stored INTEGER NOT NULL
  );
  CREATE INDEX chunk_vectors_missing ON chunk_vectors (owner, id) WHERE stored = 0 AND chunk IS NOT NULL;
  CREATE INDEX chunk_vectors_gone ON chunk_vectors (id) WHERE chunk IS NULL;

  -- What makes the vectors of an assistant: those of another model cannot be compared. again_at: after a failure, not before.
  CREATE TABLE embedders (
    owner TEXT PRIMARY KEY,
    assistant_id TEXT NOT NULL,
    name TEXT NOT NULL,
    failures INTEGER NOT NULL,
    problem TEXT,
    again_at INTEGER NOT NULL
  ) WITHOUT ROWID;
`;

/** Pieces that one call of a model gets. */
const addedMax = 64;
/** The index refuses more ids than these to delete in one call. */
const removedMax = 100;
/** So long somebody may take for a piece of the work. */
export const leaseMs = 2 * 60_000;
/** After the index did not answer. */
const indexRestMs = 60_000;
/** Waits after failures of a model. */
const waitsMs = [60_000, 5 * 60_000, 30 * 60_000, 2 * 3_600_000];
const waitMsMax = 6 * 3_600_000;
const problemCharactersMax = 300;

interface State {
  lease: string | null;
  /** Until when the lease holds, or the index is left in peace. */
  restUntil: number;
}

const nobody: State = { lease: null, restUntil: 0 };

/**
 * Which pieces have a vector in the vector index, which still need one, and which vectors must be deleted. What is stored here
 * counts; the index follows. Call methods that change something inside a transaction.
 */
export class Vectors extends Tables {
  /** What makes the vectors of an assistant from now on; null: nothing. Those of another one are made anew. */
  setEmbedder(assistantId: string, name: string | null): void {
    const owner = ownerWord(assistantId);
    if (this.hasEmbedder(assistantId, name)) return;
    this.sql.exec('UPDATE chunk_vectors SET chunk = NULL WHERE owner = ? AND chunk IS NOT NULL', owner);
    this.sql.exec('DELETE FROM embedders WHERE owner = ?', owner);
    if (name === null) return;
    this.sql.exec('INSERT INTO embedders VALUES (?, ?, ?, 0, NULL, 0)', owner, assistantId, name);
    this.sql.exec(
      'INSERT INTO chunk_vectors (chunk, owner, stored) SELECT id, owner, 0 FROM chunks WHERE owner = ?',
      owner,
    );
  }

  /** The provider of an assistant was set anew, its key perhaps: it is asked at once. */
  askAgain(assistantId: string): void {
    this.sql.exec('UPDATE embedders SET again_at = 0 WHERE owner = ?', ownerWord(assistantId));
  }

  hasEmbedder(assistantId: string, name: string | null): boolean {
    return (this.#embedder(ownerWord(assistantId))?.name ?? null) === name;
  }

  /** The pieces of a document are there. */
  added(document: number): void {
    this.sql.exec(
      `INSERT INTO chunk_vectors (chunk, owner, stored) SELECT c.id, c.owner, 0 FROM chunks c
         JOIN embedders e ON e.owner = c.owner WHERE c.document = ?`,
      document,
    );
  }

  /** The pieces of a document go: call it before they do. */
  gone(document: number): void {
    this.sql.exec(
      'UPDATE chunk_vectors SET chunk = NULL WHERE chunk IN (SELECT id FROM chunks WHERE document = ?)',
      document,
    );
  }

  /** The pieces that vectors belong to, of this assistant alone; those that are gone are left out. */
  pieces(assistantId: string, vectors: readonly number[]): number[] {
    const query = 'SELECT chunk FROM chunk_vectors WHERE id = ? AND owner = ? AND chunk IS NOT NULL';
    const owner = ownerWord(assistantId);
    return vectors.flatMap((vector) => this.queryValues<number>(query, vector, owner));
  }

  /** How much of what an assistant knows has its vector; null: nothing makes any. */
  meaning(assistantId: string): Meaning | null {
    const owner = ownerWord(assistantId);
    const embedder = this.#embedder(owner);
    if (embedder === null) return null;
    const query =
      'SELECT count(*) AS n FROM chunk_vectors WHERE owner = ? AND stored = 1 AND chunk IS NOT NULL';
    const { n: vectors } = this.queryOne<{ n: number }>(query, owner);
    return { isOn: true, vectors, problem: embedder.problem };
  }

  /** When somebody is to be called; null: there is nothing to do. */
  nextRingAt(): number | null {
    const workAt = this.#workAt();
    return workAt === null ? null : Math.max(endOfWait(workAt, waitMsMax), this.#restUntil());
  }

  /** Some of the work, for one at a time; null: there is nothing to do, or somebody does it. */
  lease(now: number): VectorWork | null {
    if (this.#restUntil(now) > now) return null;
    const remove = this.queryValues<number>(
      'SELECT id FROM chunk_vectors WHERE chunk IS NULL ORDER BY id LIMIT ?',
      removedMax,
    );
    const add = this.#toAdd(now);
    if (remove.length === 0 && add === null) {
      this.#save(nobody);
      return null;
    }
    const taken = { lease: newUuid(), restUntil: now + leaseMs };
    this.#save(taken);
    return { lease: taken.lease, until: taken.restUntil, remove, add };
  }

  /** What came of it. */
  done({ lease, add }: VectorWork, outcome: VectorsDone, now: number): void {
    const { removed, added, problem, isFinal = false, embedder, isIndexGone = false } = outcome;
    for (const id of removed) this.sql.exec('DELETE FROM chunk_vectors WHERE id = ?', id);
    for (const id of added) {
      // Of a piece that has gone meanwhile, with a vector that was taken away before it was there: it goes from the index again.
      this.sql.exec(
        `INSERT INTO chunk_vectors VALUES (?, NULL, '', 1) ON CONFLICT (id) DO UPDATE SET stored = 1`,
        id,
      );
    }
    if (add !== null && (problem !== null || !isIndexGone)) {
      if (embedder !== undefined) this.setEmbedder(add.assistantId, embedder);
      this.#noteOutcome(ownerWord(add.assistantId), problem, isFinal, now);
    }
    if (this.#state().lease === lease)
      this.#save(isIndexGone ? { lease: null, restUntil: now + indexRestMs } : nobody);
  }

  #noteOutcome(owner: string, problem: string | null, isFinal: boolean, now: number): void {
    const known = this.#embedder(owner);
    if (known === null || (problem === null && known.problem === null)) return;
    const failures = problem === null ? 0 : known.failures + 1;
    const waitMs = isFinal ? waitMsMax : (waitsMs[failures - 1] ?? waitMsMax);
    const againAt = problem === null ? 0 : now + waitMs;
    this.sql.exec(
      'UPDATE embedders SET failures = ?, problem = ?, again_at = ? WHERE owner = ?',
      ...[failures, problem?.slice(0, problemCharactersMax) ?? null, againAt, owner],
    );
  }

  #toAdd(now: number): VectorWork['add'] {
    const owner = this.queryFirst<{ owner: string; assistant_id: string }>(
      `SELECT e.owner, e.assistant_id FROM embedders e WHERE (e.again_at <= ?1 OR e.again_at > ?1 + ?2) AND EXISTS
           (SELECT 1 FROM chunk_vectors v WHERE v.owner = e.owner AND v.stored = 0 AND v.chunk IS NOT NULL)
           ORDER BY e.again_at LIMIT 1`,
      // Or put off by a clock that went back since.
      ...[now, waitMsMax],
    );
    if (owner === undefined) return null;
    const pieces = this.queryAll<{ id: number; heading: string; text: string }>(
      `SELECT v.id, c.heading, c.text FROM chunk_vectors v JOIN chunks c ON c.id = v.chunk
           WHERE v.owner = ? AND v.stored = 0 AND v.chunk IS NOT NULL ORDER BY v.id LIMIT ?`,
      ...[owner.owner, addedMax],
    ).map(({ id, heading, text }) => ({ vector: id, text: heading === '' ? text : `${heading}\n${text}` }));
    return { assistantId: owner.assistant_id, pieces };
  }

  #workAt(): number | null {
    if (this.queryAny('SELECT 1 FROM chunk_vectors WHERE chunk IS NULL LIMIT 1')) return 1;
    const query = `SELECT min(max(e.again_at, 1)) FROM embedders e WHERE EXISTS
      (SELECT 1 FROM chunk_vectors v WHERE v.owner = e.owner AND v.stored = 0 AND v.chunk IS NOT NULL)`;
    return this.queryValue<number>(query);
  }

  #embedder(owner: string): { name: string; failures: number; problem: string | null } | null {
    const query = 'SELECT name, failures, problem FROM embedders WHERE owner = ?';
    return this.queryFirst<{ name: string; failures: number; problem: string | null }>(query, owner) ?? null;
  }

  #restUntil(now?: number): number {
    return endOfWait(this.#state().restUntil, leaseMs, now);
  }

  #state(): State {
    const query = "SELECT value FROM knowledge_state WHERE name = 'vectors'";
    return this.queryJson<State>(query) ?? nobody;
  }

  #save(state: State): void {
    const value = JSON.stringify(state);
    this.sql.exec("INSERT OR REPLACE INTO knowledge_state VALUES ('vectors', ?)", value);
  }
}
