import { earliest, endOfWait } from '../due-times.ts';
import { newUuid } from '../new-ids.ts';
import { Tables } from '../storage/rows.ts';
import { ownerWord } from './passages.ts';

/** What is to be done in the index of meanings, for whoever holds the lease: vectors of one assistant to add, or any to remove. */
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

/** Nobody has told what came of it. Where vectors were to be made, that says nothing about the index. */
export const lostWork = ({ add }: VectorWork): VectorsDone =>
  add === null
    ? indexIsGone
    : { ...indexIsGone, problem: 'The vectors were not made in time.', isIndexGone: false };

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

/** Somebody has a piece of the work: that of an assistant, by its {@link ownerWord}; null: what is to be removed. */
interface Lease {
  lease: string;
  owner: string | null;
  until: number;
}

interface State {
  /** Until when the index is left in peace. Earlier releases had one lease for everything, which held until then. */
  restUntil: number;
  /** Missing in what an earlier release has stored. */
  leases?: Lease[];
}

/** Work that is to be done: of an assistant, or `owner` null: vectors to be removed. `againAt`: not before. */
interface Undone {
  owner: string | null;
  assistantId: string;
  againAt: number;
}

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
    const now = Date.now();
    const workAt = earliest(
      this.#undone().map(({ owner, againAt }) => Math.max(againAt, this.#heldUntil(owner, now), 1)),
    );
    return workAt === null ? null : Math.max(workAt, this.#restUntil(now));
  }

  /**
   * Some of the work, that of each assistant for one at a time, so that a model that is slow holds up its own assistant alone. Null:
   * there is nothing to do, or others do it.
   */
  lease(now: number): VectorWork | null {
    if (this.#restUntil(now) > now) return null;
    const isFree = ({ owner, againAt }: Undone) => againAt <= now && this.#heldUntil(owner, now) <= now;
    const [first] = this.#undone(now)
      .filter(isFree)
      .sort((one, other) => one.againAt - other.againAt);
    if (first === undefined) return null;
    const { owner, assistantId } = first;
    const taken = { lease: newUuid(), owner, until: now + leaseMs };
    this.#save({ restUntil: 0, leases: [...this.#leases(now), taken] });
    const { lease, until } = taken;
    if (owner !== null) return { lease, until, remove: [], add: this.#toAdd(owner, assistantId) };
    const remove = this.queryValues<number>(
      'SELECT id FROM chunk_vectors WHERE chunk IS NULL ORDER BY id LIMIT ?',
      removedMax,
    );
    return { lease, until, remove, add: null };
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
    const { restUntil, leases = [] } = this.#state();
    const others = leases.filter((one) => one.lease !== lease);
    if (others.length === leases.length) return;
    this.#save({ restUntil: isIndexGone ? now + indexRestMs : restUntil, leases: others });
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

  #toAdd(owner: string, assistantId: string): VectorWork['add'] {
    const pieces = this.queryAll<{ id: number; heading: string; text: string }>(
      `SELECT v.id, c.heading, c.text FROM chunk_vectors v JOIN chunks c ON c.id = v.chunk
           WHERE v.owner = ? AND v.stored = 0 AND v.chunk IS NOT NULL ORDER BY v.id LIMIT ?`,
      ...[owner, addedMax],
    ).map(({ id, heading, text }) => ({ vector: id, text: heading === '' ? text : `${heading}\n${text}` }));
    return { assistantId, pieces };
  }

  /** Whose work there is, and from when on; whoever holds it already included. What is to be removed comes first. */
  #undone(now?: number): Undone[] {
    const removal = { owner: null, assistantId: '', againAt: 0 };
    const isAny = this.queryAny('SELECT 1 FROM chunk_vectors WHERE chunk IS NULL LIMIT 1');
    const owners = this.queryAll<{ owner: string; assistant_id: string; again_at: number }>(
      `SELECT e.owner, e.assistant_id, e.again_at FROM embedders e WHERE EXISTS
         (SELECT 1 FROM chunk_vectors v WHERE v.owner = e.owner AND v.stored = 0 AND v.chunk IS NOT NULL)`,
    ).map(({ owner, assistant_id: assistantId, again_at }) => {
      // It may have been put off by a clock that went back since.
      return { owner, assistantId, againAt: endOfWait(again_at, waitMsMax, now) };
    });
    return isAny ? [removal, ...owners] : owners;
  }

  /** Until when somebody has this work; a time that is over: nobody has. */
  #heldUntil(owner: string | null, now: number): number {
    return this.#leases(now).find((one) => one.owner === owner)?.until ?? 0;
  }

  #leases(now: number): Lease[] {
    return (this.#state().leases ?? []).filter(({ until }) => endOfWait(until, leaseMs, now) > now);
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
    return this.queryJson<State>(query) ?? { restUntil: 0 };
  }

  #save(state: State): void {
    const value = JSON.stringify(state);
    this.sql.exec("INSERT OR REPLACE INTO knowledge_state VALUES ('vectors', ?)", value);
  }
}
