import { type Refusal, refuse } from '../../../contract/errors.ts';
import { type Plans, planOf } from '../../../settings/plans.ts';
import { Tables } from '../../storage/rows.ts';

/** What files an account has, in bytes. */
export interface StorageUsage {
  used: number;
  /** Null: as much as it likes. */
  limit: number | null;
}

/** How large a file may be, of what is left, and the refusal of a larger one. */
export interface StorageRoom {
  /** Null: as large as it likes. */
  bytesMax: number | null;
  refusal: Refusal;
}

export interface StoredFile {
  fileId: string;
  bytes: number;
  /** When it is deleted at the latest; milliseconds since 1970. */
  expiresAt: number;
}

/** Expired files that are forgotten in one go. The others do not count either. */
const forgottenMax = 2_000;

/**
 * The stored files of the account: the size of each, and of all together. A file that is reported again counts once, with the
 * last size. An expired file does not count.
 */
export class StoredFiles extends Tables {
  readonly #plans: Plans;

  constructor(sql: SqlStorage, plans: Plans) {
    super(sql);
    this.#plans = plans;
  }

  /** Call inside a transaction. */
  usage(plan: string, now: number): StorageUsage {
    const expired = 'FROM stored_files WHERE expires_at <= ?';
    this.#forget(`SELECT file_id ${expired} ORDER BY expires_at LIMIT ?`, now, forgottenMax);
    const select = `SELECT coalesce(sum(bytes), 0) AS bytes ${expired}`;
    const { bytes } = this.queryOne<{ bytes: number }>(select, now);
    return { used: this.#total() - bytes, limit: planOf(this.#plans, plan).storageBytes };
  }

  /** What room there is for a file, which may be there already. Call inside a transaction. */
  room(plan: string, fileId: string, now: number): StorageRoom {
    this.#forget('SELECT file_id FROM stored_files WHERE file_id = ? AND expires_at <= ?', fileId, now);
    const { used, limit } = this.usage(plan, now);
    const bytesMax = limit === null ? null : Math.max(0, limit - used + this.#bytesOf(fileId));
    return { bytesMax, refusal: storageFull(plan, used, limit ?? used) };
  }

  /**
   * Counts a stored file, or refuses it if it does not fit. A file that takes no more room than before always fits;
   * `evenAboveLimit` accepts any. Call inside a transaction.
   */
  keep(
    plan: string,
    { fileId, bytes, expiresAt }: StoredFile,
    evenAboveLimit: boolean,
    now: number,
  ): Refusal | null {
    const { bytesMax, refusal } = this.room(plan, fileId, now);
    const before = this.#bytesOf(fileId);
    if (!evenAboveLimit && bytesMax !== null && bytes > Math.max(before, bytesMax)) return refusal;
    this.sql.exec(
      `INSERT INTO stored_files (file_id, bytes, expires_at) VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET bytes = excluded.bytes, expires_at = excluded.expires_at`,
      fileId,
      bytes,
      expiresAt,
    );
    this.#add(bytes - before);
    return null;
  }

  /** They are deleted. Those that are not known change nothing. Call inside a transaction. */
  giveBack(fileIds: readonly string[]): void {
    this.#forget('SELECT value FROM json_each(?)', JSON.stringify(fileIds));
  }

  #forget(which: string, ...values: SqlStorageValue[]): void {
    const statement = `DELETE FROM stored_files WHERE file_id IN (${which}) RETURNING bytes`;
    const forgotten = this.queryValues<number>(statement, ...values);
    if (forgotten.length > 0) this.#add(-forgotten.reduce((sum, bytes) => sum + bytes, 0));
  }

  #bytesOf(fileId: string): number {
    return this.queryValue<number>('SELECT bytes FROM stored_files WHERE file_id = ?', fileId) ?? 0;
  }

  #total(): number {
    return this.queryValue<number>('SELECT bytes FROM stored_bytes') ?? 0;
  }

  #add(bytes: number): void {
    this.sql.exec(
      'INSERT INTO stored_bytes (id, bytes) VALUES (1, ?1) ON CONFLICT DO UPDATE SET bytes = bytes + ?1',
      bytes,
    );
  }
}

function storageFull(plan: string, used: number, limit: number): Refusal {
  const message = `The storage for files is full: ${used} of the ${limit} bytes of the plan ${plan} are used, and this file does not fit.`;
  return refuse('QUOTA_EXCEEDED', message, { details: [{ cap: 'storage', used, limit }] });
}
