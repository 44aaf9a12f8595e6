import type { Configuration, KeySnapshot } from './snapshot.ts';

/** The API keys of the account: which one was presented, and when each was last used, exact to the second. */
export class KeyRing {
  readonly #sql: SqlStorage;
  readonly #lastUsed = new Map<string, number>();

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    for (const row of sql.exec<{ key_id: string; last_used_at: number }>('SELECT * FROM key_usage')) {
      this.#lastUsed.set(row.key_id, row.last_used_at);
    }
  }

  /**
   * One that has expired is none. How long a look-up takes tells nothing about a key: nobody can choose what a guess
   * hashes to.
   */
  find({ keysByHash }: Configuration, keyHash: string, now: number): KeySnapshot | null {
    const key = keysByHash.get(keyHash);
    if (!key) return null;
    return key.expiresAt === null || now < key.expiresAt ? key : null;
  }

  /** The key was used. To the second, as it is shown: more would be a row a request. */
  noteUse(keyId: string, now: number): void {
    if (Math.floor(now / 1000) <= Math.floor((this.#lastUsed.get(keyId) ?? 0) / 1000)) return;
    this.#lastUsed.set(keyId, now);
    this.#sql.exec('INSERT OR REPLACE INTO key_usage (key_id, last_used_at) VALUES (?, ?)', keyId, now);
  }

  /** When each key was last used; milliseconds since 1970. */
  usage(): Record<string, number> {
    return Object.fromEntries(this.#lastUsed);
  }

  /** Forgets keys that are no more. */
  sweep({ keysByHash }: Configuration): void {
    const known = new Set([...keysByHash.values()].map(({ id }) => id));
    for (const keyId of [...this.#lastUsed.keys()].filter((id) => !known.has(id))) {
      this.#lastUsed.delete(keyId);
      this.#sql.exec('DELETE FROM key_usage WHERE key_id = ?', keyId);
    }
  }
}
