import { TableSweep } from '../../storage/table-sweep.ts';

/** The longest pause is a day. */
const keptMs = 2 * 24 * 3600 * 1000;

/** When each recipient was last written to, where the number keeps a distance between two messages to the same one. */
export class RecipientPauses {
  readonly #sql: SqlStorage;
  readonly #sweep: TableSweep;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#sweep = new TableSweep(sql, {
      table: 'chats',
      key: 'recipient',
      // Earlier versions have kept there when somebody last wrote, too.
      isOver: 'max(coalesce(last_out_at, 0), coalesce(last_in_at, 0)) < ?1',
      keptMs,
    });
  }

  /** Null: never. A time that lies in the future, since the clock went back, is taken for now, once and for all. */
  lastOutAt(recipient: string, now: number): number | null {
    const query = 'SELECT last_out_at AS at FROM chats WHERE recipient = ?';
    const at = this.#sql.exec<{ at: number | null }>(query, recipient).toArray()[0]?.at ?? null;
    if (at === null || at <= now) return at;
    this.noteOut(recipient, now);
    return now;
  }

  noteOut(recipient: string, at: number): void {
    this.#sql.exec(
      `INSERT INTO chats (recipient, last_out_at) VALUES (?, ?)
         ON CONFLICT DO UPDATE SET last_out_at = excluded.last_out_at`,
      recipient,
      at,
    );
  }

  /** They were erased. */
  forget(recipient: string): void {
    this.#sql.exec('DELETE FROM chats WHERE recipient = ?', recipient);
  }

  /** Forgets whom nobody has written to for long; see {@link TableSweep.sweep}. */
  sweep(now: number): boolean {
    return this.#sweep.sweep(now);
  }
}
