import type { Books } from './books.ts';
import type { Configuration, KeySnapshot } from './snapshot.ts';

/** Keys that a number's book remembers; the others have rows of their own. */
const bookKeysMax = 32;

/** The API keys of the account: which one was presented, and when each was last used, exact to the second. */
export class KeyRing {
  readonly #sql: SqlStorage;
  readonly #books: Books;
  readonly #lastUsed = new Map<string, number>();

  constructor(sql: SqlStorage, books: Books) {
    this.#sql = sql;
    this.#books = books;
    for (const row of sql.exec<{ key_id: string; last_used_at: number }>('SELECT * FROM key_usage')) {
      this.#remember(row.key_id, row.last_used_at);
    }
    for (const [, { keys }] of books.all()) {
      for (const [keyId, at] of Object.entries(keys)) this.#remember(keyId, at);
    }
  }

  /**
   * One that has expired is none. How long a look-up takes tells nothing about a key: nobody can choose what a guess
   * hashes to.
   */
  find({ keysByHash }: Configuration, keyHash: string, now: number): KeySnapshot | null {
    const key = keysByHash.get(keyHash);
    if (!key) return null;
    return key.expiresAt == null || now < key.expiresAt ? key : null;
  }

  /** The key was used for something that writes nothing by itself. To the second, as it is shown: more would be a row a request. */
  noteUse(keyId: string, now: number): void {
    if (Math.floor(now / 1000) <= Math.floor((this.#lastUsed.get(keyId) ?? 0) / 1000)) return;
    this.#remember(keyId, now);
    this.#store(keyId);
  }

  /** The key has sent through a number whose book is saved in the same transaction. */
  noteSend(keyId: string, numberId: string, now: number): void {
    this.#remember(keyId, now);
    const { keys } = this.#books.of(numberId);
    keys[keyId] = now;
    const ids = Object.keys(keys);
    if (ids.length <= bookKeysMax) return;
    const oldest = ids.reduce((a, b) => ((keys[a] ?? 0) <= (keys[b] ?? 0) ? a : b));
    delete keys[oldest];
    this.#store(oldest);
  }

  /** When each key was last used; milliseconds since 1970. */
  usage(): Record<string, number> {
    return Object.fromEntries(this.#lastUsed);
  }

  /** Forgets keys that are no more. */
  sweep({ keys }: Configuration): void {
    const known = new Set(keys.map(({ id }) => id));
    for (const keyId of [...this.#lastUsed.keys()].filter((id) => !known.has(id))) {
      this.#lastUsed.delete(keyId);
      this.#sql.exec('DELETE FROM key_usage WHERE key_id = ?', keyId);
      for (const [, book] of this.#books.all()) delete book.keys[keyId];
    }
  }

  #remember(keyId: string, at: number): void {
    this.#lastUsed.set(keyId, Math.max(at, this.#lastUsed.get(keyId) ?? 0));
  }

  #store(keyId: string): void {
    const at = this.#lastUsed.get(keyId) ?? null;
    this.#sql.exec('INSERT OR REPLACE INTO key_usage (key_id, last_used_at) VALUES (?, ?)', keyId, at);
  }
}
