import type { VaultEntry } from '../../../contract/bridge-frames.ts';

/** The session's credentials and Signal keys. Sealed by a key that only bridges hold: to this object they are bytes. */
export class Vault {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** The entries that exist under these keys; a missing one comes back as null. */
  get(keys: readonly string[]): VaultEntry[] {
    return keys.map((key) => {
      const row = this.#sql
        .exec<{ sealed: ArrayBuffer }>('SELECT sealed FROM vault WHERE key = ?', key)
        .toArray()[0];
      return { key, sealed: row === undefined ? null : Buffer.from(row.sealed).toString('base64') };
    });
  }

  put(entries: readonly VaultEntry[]): void {
    for (const { key, sealed } of entries) {
      if (sealed === null) {
        this.#sql.exec('DELETE FROM vault WHERE key = ?', key);
      } else {
        this.#sql.exec(
          'INSERT OR REPLACE INTO vault (key, sealed) VALUES (?, ?)',
          key,
          Buffer.from(sealed, 'base64'),
        );
      }
    }
  }

  clear(): void {
    this.#sql.exec('DELETE FROM vault');
  }
}
