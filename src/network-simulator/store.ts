import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite';

/**
 * The tables of the simulated network. Everything that was acknowledged to a client stands here, so that a killed
 * simulator starts again where it stood. The number is raised with every change; an older file is refused.
 */
const schemaVersion = 2;

const schemaSql = `
CREATE TABLE server_keys (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;

CREATE TABLE users (
  id INTEGER PRIMARY KEY,
  phone TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  credentials TEXT,
  next_prekey INTEGER NOT NULL DEFAULT 1,
  next_device INTEGER NOT NULL DEFAULT 1,
  script TEXT NOT NULL,
  banned INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE devices (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL,
  number INTEGER NOT NULL,
  noise_key BLOB NOT NULL,
  identity_key BLOB NOT NULL,
  registration BLOB NOT NULL,
  signed_prekey_id BLOB NOT NULL,
  signed_prekey BLOB NOT NULL,
  signed_prekey_signature BLOB NOT NULL,
  platform TEXT NOT NULL,
  history_shared INTEGER NOT NULL DEFAULT 0,
  UNIQUE (user_id, number)
);

CREATE TABLE prekeys (
  device_id INTEGER NOT NULL,
  key_id INTEGER NOT NULL,
  public_key BLOB NOT NULL,
  PRIMARY KEY (device_id, key_id)
) WITHOUT ROWID;

CREATE TABLE device_queue (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  device_id INTEGER NOT NULL,
  acknowledged_by TEXT NOT NULL,
  stanza BLOB NOT NULL
);
CREATE INDEX device_queue_waiting ON device_queue (device_id, acknowledged_by);

CREATE TABLE phone_inbox (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL,
  sender_user_id INTEGER NOT NULL,
  sender_device INTEGER NOT NULL,
  answers_retry INTEGER NOT NULL,
  stanza BLOB NOT NULL
);

CREATE TABLE arrivals (
  message_id TEXT NOT NULL,
  sender_id INTEGER NOT NULL,
  recipient_id INTEGER NOT NULL,
  group_id TEXT,
  text TEXT,
  count INTEGER NOT NULL,
  arrived_at INTEGER NOT NULL,
  PRIMARY KEY (message_id, sender_id, recipient_id)
);

CREATE TABLE awaited_resends (
  device_id INTEGER NOT NULL,
  message_id TEXT NOT NULL,
  requests INTEGER NOT NULL,
  PRIMARY KEY (device_id, message_id)
) WITHOUT ROWID;

CREATE TABLE phone_sent (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL,
  message_id TEXT NOT NULL,
  chat TEXT NOT NULL,
  content BLOB NOT NULL,
  wrapping TEXT NOT NULL
);
CREATE INDEX phone_sent_by_id ON phone_sent (message_id, user_id);

CREATE TABLE signal_state (
  user_id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (user_id, kind, id)
) WITHOUT ROWID;

CREATE TABLE due_actions (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  due_at INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  action TEXT NOT NULL
);

CREATE TABLE groups (
  id TEXT PRIMARY KEY,
  subject TEXT NOT NULL,
  creator_id INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  auto_join INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE group_members (
  group_id TEXT NOT NULL,
  user_id INTEGER NOT NULL,
  role TEXT,
  PRIMARY KEY (group_id, user_id)
) WITHOUT ROWID;
CREATE INDEX group_members_by_user ON group_members (user_id);

CREATE TABLE group_settings (
  group_id TEXT PRIMARY KEY,
  invite TEXT NOT NULL UNIQUE,
  settings TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE group_requests (
  group_id TEXT NOT NULL,
  user_id INTEGER NOT NULL,
  PRIMARY KEY (group_id, user_id)
) WITHOUT ROWID;

CREATE TABLE profiles (user_id INTEGER PRIMARY KEY, about TEXT NOT NULL, picture BLOB);

CREATE TABLE blocked (
  user_id INTEGER NOT NULL,
  blocked_id INTEGER NOT NULL,
  PRIMARY KEY (user_id, blocked_id)
) WITHOUT ROWID;
`;

/** Tables that came later and change nothing about those above: an older file gets them when it is opened. */
const addedTablesSql = `
CREATE TABLE IF NOT EXISTS arrived_contents (
  seq INTEGER PRIMARY KEY,
  message_id TEXT NOT NULL,
  sender_id INTEGER NOT NULL,
  recipient_id INTEGER NOT NULL,
  content BLOB NOT NULL,
  UNIQUE (message_id, sender_id, recipient_id)
);
`;

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
