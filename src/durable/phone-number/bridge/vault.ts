import { credentialsKey, type VaultEntry } from '../../../contract/bridge/bridge-frames.ts';
import { Tables } from '../../storage/rows.ts';

/** Entries of one answer about what is outdated: so many, or one and so many bytes. */
const outdatedMax = 100;
const outdatedBytesMax = 128 * 1024;

/** The session's credentials and Signal keys. Sealed by a key that only bridges hold: to this object they are bytes. */
export class Vault extends Tables {
  /** The entries that exist under these keys; a missing one comes back as null. */
  get(keys: readonly string[]): VaultEntry[] {
    return keys.map((key) => {
      const sealed = this.queryValue<ArrayBuffer>('SELECT sealed FROM vault WHERE key = ?', key);
      return { key, sealed: sealed === null ? null : Buffer.from(sealed).toString('base64') };
    });
  }

  /** Whether a phone has linked a device. */
  get isOfDevice(): boolean {
    return this.queryAny('SELECT 1 FROM vault WHERE key = ?', credentialsKey);
  }

  /** The next entries by key that do not begin so: how an entry begins says under which of the bridges' keys it is sealed. */
  outdated(beginning: Buffer, after: string | null): VaultEntry[] {
    const rows = this.sql.exec<{ key: string; sealed: ArrayBuffer }>(
      'SELECT key, sealed FROM vault WHERE key > ? AND substr(sealed, 1, ?) <> ? ORDER BY key LIMIT ?',
      after ?? '',
      beginning.length,
      beginning,
      outdatedMax,
    );
    const entries: VaultEntry[] = [];
    let bytes = 0;
    for (const { key, sealed } of rows) {
      bytes += sealed.byteLength;
      if (entries.length > 0 && bytes > outdatedBytesMax) break;
      entries.push({ key, sealed: Buffer.from(sealed).toString('base64') });
    }
    return entries;
  }

  /** How many there are of these. */
  countOutdated(beginning: Buffer): number {
    const query = 'SELECT count(*) AS n FROM vault WHERE substr(sealed, 1, ?) <> ?';
    return this.sql.exec<{ n: number }>(query, beginning.length, beginning).one().n;
  }

  put(entries: readonly VaultEntry[]): void {
    for (const { key, sealed } of entries) {
      if (sealed === null) {
        this.sql.exec('DELETE FROM vault WHERE key = ?', key);
      } else {
        this.sql.exec(
          'INSERT OR REPLACE INTO vault (key, sealed) VALUES (?, ?)',
          key,
          Buffer.from(sealed, 'base64'),
        );
      }
    }
  }

  clear(): void {
    this.sql.exec('DELETE FROM vault');
  }
}
