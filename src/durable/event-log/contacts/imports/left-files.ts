import { endOfWait } from '../../../due-times.ts';
import { logFault } from '../../../log.ts';
import { Tables } from '../../../storage/rows.ts';
import type { ImportCalls } from './import-rows.ts';

export const leftImportFilesSql = `
  -- Imports that are over, and whose files are still to be deleted.
  CREATE TABLE left_import_files (import_id TEXT PRIMARY KEY) WITHOUT ROWID;
`;

/** Between two tries where a file could not be deleted; doubled each time. */
const firstRetryMs = 15_000;
const retryMsMax = 3_600_000;
/** No call takes longer. */
const callMsMax = 60_000;

/** Deletes the files of imports that are over, however they ended and whatever fails meanwhile. */
export class LeftImportFiles extends Tables {
  readonly #accountId: string;
  readonly #calls: Pick<ImportCalls, 'forget'>;
  /** When they are deleted; null: there are none. Undefined: to be looked up. */
  #dueAt: number | null | undefined;
  #retryMs = firstRetryMs;

  constructor(sql: SqlStorage, accountId: string, calls: Pick<ImportCalls, 'forget'>) {
    super(sql);
    this.#accountId = accountId;
    this.#calls = calls;
  }

  /** Call inside the transaction that ends the import. */
  add(importId: string): void {
    this.sql.exec('INSERT OR IGNORE INTO left_import_files VALUES (?)', importId);
    this.#dueAt = undefined;
  }

  dueAt(): number | null {
    if (this.#dueAt === undefined) {
      this.#dueAt = this.queryAny('SELECT 1 FROM left_import_files LIMIT 1') ? 1 : null;
    }
    return this.#dueAt && endOfWait(this.#dueAt, Math.max(callMsMax, this.#retryMs));
  }

  async run(now: number): Promise<void> {
    // While this runs.
    this.#dueAt = now + callMsMax;
    try {
      const left = this.queryAll<{ id: string }>('SELECT import_id AS id FROM left_import_files LIMIT 100');
      for (const { id } of left) {
        await this.#calls.forget(this.#accountId, id);
        this.sql.exec('DELETE FROM left_import_files WHERE import_id = ?', id);
      }
      this.#retryMs = firstRetryMs;
      this.#dueAt = undefined;
    } catch (error) {
      logFault('contacts.import_file_not_deleted', error);
      this.#dueAt = Date.now() + this.#retryMs;
      this.#retryMs = Math.min(2 * this.#retryMs, retryMsMax);
    }
  }
}
