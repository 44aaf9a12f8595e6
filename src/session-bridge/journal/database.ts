import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { v7 as uuidv7 } from 'uuid';

const neededStepsKey = 'neededSteps';

/** Runs an action once everything written before is committed; at once, when nothing is open. Order is kept. */
export type AfterCommit = (action: () => void) => void;

/**
 * The bridge's disk: one SQLite file for each process. Everything that is committed survives a `kill -9` and a power failure.
 * Everything that was acknowledged to the network stays here until the edge has it. All writes of one turn of the event loop
 * share one commit and one sync to disk. Everything that leaves the process, to the network or to the edge, goes through
 * `afterCommit`. So nobody learns of anything that a crash could still undo.
 */
export class JournalDatabase {
  readonly bridgeId: string;
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #onBroken: (error: unknown) => void;
  #isOpen = false;
  #isClosed = false;
  /** What is written just before the commit. */
  #deferred: (() => void)[] = [];
  #waiting: (() => void)[] = [];

  /**
   * Opens or creates `<home>/journal.sqlite`. Throws if the folder cannot be written or the file is no database. `onBroken` is
   * called if the disk fails later. A bridge that cannot write must stop, since it would acknowledge data that it does not
   * have.
   */
  constructor(home: string, onBroken: (error: unknown) => void) {
    this.#onBroken = onBroken;
    mkdirSync(home, { recursive: true, mode: 0o700 });
    const path = join(home, 'journal.sqlite');
    this.#db = new DatabaseSync(path);
    // It holds the bridge's own credential. SQLite makes the files beside it as this one is.
    chmodSync(path, 0o600);
    // Each commit is synced, since the network deletes a message once it is acknowledged.
    this.#db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = FAST;');
    this.#migrate();
    const known = this.meta('bridgeId');
    this.bridgeId = known ?? uuidv7();
    if (!known) this.setMeta('bridgeId', this.bridgeId);
  }

  meta(key: string): string | null {
    const row = this.get<{ value: string }>('SELECT value FROM meta WHERE key = ?', key);
    return row?.value ?? null;
  }

  setMeta(key: string, value: string): void {
    this.run(
      'INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
      key,
      value,
    );
  }

  run(sql: string, ...values: SQLInputValue[]): { changes: number; lastId: number } {
    this.#begin();
    const result = this.#guarded(() => this.#statement(sql).run(...values));
    return { changes: Number(result.changes), lastId: Number(result.lastInsertRowid) };
  }

  get<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#guarded(() => this.#statement(sql).get(...values)) as Row | undefined;
  }

  all<Row>(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#guarded(() => this.#statement(sql).all(...values)) as Row[];
  }

  /** The first rows of a query, until `wantsMore` says that it is enough. */
  eachUntil<Row>(wantsMore: (row: Row) => boolean, sql: string, ...values: SQLInputValue[]): void {
    this.#guarded(() => {
      for (const row of this.#statement(sql).iterate(...values)) if (!wantsMore(row as Row)) return;
    });
  }

  /** A number for the next frame: they rise for as long as the journal lives. */
  nextFrame(): number {
    const [row] = this.changeReturning<{ last: number }>('UPDATE frames SET last = last + 1 RETURNING last');
    if (!row) throw new Error('the journal has no number for the next frame');
    return row.last;
  }

  /** What the journal takes on disk, without what it would use again. */
  usedBytes(): number {
    const row = this.get<{ bytes: number }>(
      `SELECT (page_count - freelist_count) * page_size AS bytes
       FROM pragma_page_count, pragma_freelist_count, pragma_page_size`,
    );
    return row?.bytes ?? 0;
  }

  /** Rows of a change with `RETURNING`. */
  changeReturning<Row>(sql: string, ...values: SQLInputValue[]): Row[] {
    this.#begin();
    return this.all(sql, ...values);
  }

  /** All or nothing. `work` must not await. */
  transaction<Result>(work: () => Result): Result {
    this.#begin();
    this.#guarded(() => this.#statement('SAVEPOINT work').run());
    try {
      const result = work();
      this.#guarded(() => this.#statement('RELEASE work').run());
      return result;
    } catch (error) {
      this.#db.exec('ROLLBACK TO work; RELEASE work;');
      throw error;
    }
  }

  /**
   * Runs an action as the last one before the next commit. It is for values that change often, of which only the last one has
   * to be written.
   */
  beforeCommit(action: () => void): void {
    this.#begin();
    this.#deferred.push(action);
  }

  /** Writes now what was deferred: what comes next must stand after it. */
  writeDeferred(): void {
    for (const action of this.#deferred.splice(0)) action();
  }

  readonly afterCommit: AfterCommit = (action) => {
    if (this.#isOpen) this.#waiting.push(action);
    else action();
  };

  /** Commits what this turn has written, and does what waited for it. */
  commit(): void {
    if (!this.#isOpen) return;
    this.writeDeferred();
    this.#guarded(() => this.#statement('COMMIT').run());
    this.#isOpen = false;
    for (const action of this.#waiting.splice(0)) action();
  }

  close(): void {
    this.commit();
    this.#isClosed = true;
    this.#statements.clear();
    this.#db.close();
  }

  #migrate(): void {
    const done = this.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0;
    if (done > schemaSteps.length) {
      // A bridge that was rolled back continues if the newer one has said that it may.
      const needed = Number(this.meta(neededStepsKey) ?? done);
      if (needed <= schemaSteps.length) return;
      throw new Error(
        'The journal was written by a newer bridge, and this one cannot read it: install that one again, or a later one.',
      );
    }
    for (const [index, sql] of schemaSteps.entries()) {
      if (index >= done) this.#db.exec(`BEGIN; ${sql} PRAGMA user_version = ${index + 1}; COMMIT;`);
    }
    if (this.meta(neededStepsKey) !== String(neededSteps)) {
      this.setMeta(neededStepsKey, String(neededSteps));
      this.commit();
    }
  }

  #begin(): void {
    if (this.#isOpen || this.#isClosed) return;
    this.#guarded(() => this.#statement('BEGIN IMMEDIATE').run());
    this.#isOpen = true;
    setImmediate(() => this.commit());
  }

  #guarded<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      if (!this.#isClosed) this.#onBroken(error);
      throw error;
    }
  }

  #statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#db.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

/**
 * How many steps a bridge must know to open a file that has all of them. An older bridge that knows this many can be installed
 * again without harm. Raise this only for a step that older code cannot work with. A step that adds a table, or a column with
 * a default, is not one.
 */
const neededSteps = 4;

/** Each step raises the `user_version` of a journal by one. Never change a step that was released. */
export const schemaSteps = [
  `
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS leases (number_id TEXT PRIMARY KEY, epoch INTEGER NOT NULL) WITHOUT ROWID;
-- frame: the sequence number under which the row travels; null until a frame was made of it.
CREATE TABLE IF NOT EXISTS facts (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  number_id TEXT NOT NULL, epoch INTEGER NOT NULL, frame INTEGER, kind TEXT NOT NULL, body TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS facts_by_number ON facts (number_id, seq);
CREATE TABLE IF NOT EXISTS outbound (
  number_id TEXT NOT NULL, provider_message_id TEXT NOT NULL, message_id TEXT, recipient TEXT,
  state TEXT NOT NULL, outcome TEXT, updated_at INTEGER NOT NULL,
  PRIMARY KEY (number_id, provider_message_id)
) WITHOUT ROWID;
`,
  `
-- The number of the last frame that was made; one row.
CREATE TABLE frames (last INTEGER NOT NULL);
INSERT INTO frames SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'facts'), 0);
CREATE INDEX facts_by_frame ON facts (number_id, frame) WHERE frame IS NOT NULL;
-- Facts that the edge can never take; bounded, for whoever looks into it.
CREATE TABLE parked_facts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL, number_id TEXT NOT NULL, kind TEXT NOT NULL, reason TEXT NOT NULL, body TEXT NOT NULL
);
-- The hand-over under which the message was last taken over.
ALTER TABLE outbound ADD COLUMN hand_over INTEGER NOT NULL DEFAULT 1;
`,
  `
-- How often the message was handed to the network from here.
ALTER TABLE outbound ADD COLUMN network_hand_overs INTEGER NOT NULL DEFAULT 0;
`,
  `
-- Files that the network has: sent again without another upload.
CREATE TABLE uploads (
  number_id TEXT NOT NULL, kind TEXT NOT NULL, sha256 TEXT NOT NULL, at INTEGER NOT NULL, ticket TEXT NOT NULL,
  PRIMARY KEY (number_id, kind, sha256)
) WITHOUT ROWID;
`,
];
