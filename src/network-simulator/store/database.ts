import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import { addedTablesSql, schemaSql, schemaVersion } from './schema.ts';

export type Row = Record<string, SQLOutputValue>;

/**
 * The state of the network on disk. Writes of one turn of the event loop share one transaction, and what they allow
 * to be said to the outside waits for its commit (`afterCommit`): nothing that a client was told is lost by `kill -9`.
 */
export class Store {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  #batchOpen = false;
  #waiting: (() => void)[] = [];

  /** Opens or creates the file. Throws with a sentence when it is damaged, held by another process, or of another version. */
  constructor(file: string) {
    try {
      this.#database = new DatabaseSync(file);
      this.#database.exec(
        'PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA temp_store=MEMORY;',
      );
      const version = this.#database.prepare('PRAGMA user_version').get()?.user_version;
      if (version === 0) {
        this.#database.exec(`BEGIN; ${schemaSql} PRAGMA user_version=${schemaVersion}; COMMIT;`);
      } else if (version !== schemaVersion) {
        throw new Error(`it is of version ${version}, and this simulator needs ${schemaVersion}`);
      }
      this.#database.exec(addedTablesSql);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`The simulator's state in ${file} cannot be used: ${reason}.`, { cause });
    }
  }

  get(sql: string, ...parameters: SQLInputValue[]): Row | undefined {
    return this.#prepared(sql).get(...parameters);
  }

  all(sql: string, ...parameters: SQLInputValue[]): Row[] {
    return this.#prepared(sql).all(...parameters);
  }

  /** Runs one change inside the batch of this turn. Answers the number of changed rows and the last row id. */
  write(sql: string, ...parameters: SQLInputValue[]): { changes: number; rowId: number } {
    this.#openBatch();
    const result = this.#prepared(sql).run(...parameters);
    return { changes: Number(result.changes), rowId: Number(result.lastInsertRowid) };
  }

  /** A change that answers a row (`RETURNING`). */
  writeReturning(sql: string, ...parameters: SQLInputValue[]): Row | undefined {
    this.#openBatch();
    return this.#prepared(sql).get(...parameters);
  }

  /** Runs `action` once everything written so far is committed; at once, when nothing is open. Order is kept. */
  afterCommit(action: () => void): void {
    if (this.#batchOpen) this.#waiting.push(action);
    else action();
  }

  /** Resolves once everything written so far is committed. */
  committed(): Promise<void> {
    return new Promise((resolve) => this.afterCommit(resolve));
  }

  commit(): void {
    if (!this.#batchOpen) return;
    this.#database.exec('COMMIT');
    this.#batchOpen = false;
    const actions = this.#waiting;
    this.#waiting = [];
    for (const action of actions) action();
  }

  close(): void {
    this.commit();
    this.#database.close();
  }

  #openBatch(): void {
    if (this.#batchOpen) return;
    this.#database.exec('BEGIN');
    this.#batchOpen = true;
    setImmediate(() => this.commit());
  }

  #prepared(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

/** A BLOB column as a Buffer. Throws when the column holds anything else: that is a bug of a query. */
export function blob(value: SQLOutputValue | undefined): Buffer {
  if (!(value instanceof Uint8Array)) throw new Error('expected a BLOB column');
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}
