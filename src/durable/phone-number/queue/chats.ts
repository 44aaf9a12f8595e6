import { TableSweep } from '../../storage/table-sweep.ts';
import type { Chat } from './turn.ts';

/** Of what comes in, a time within that of the last one is not written again. */
const inboundStepMs = 60_000;
/** After that long without a word a chat counts as none: as long as the account remembers conversations. */
const chatKeptMs = 90 * 24 * 3600 * 1000;

/** When the number and each of its recipients last wrote to each other, as far as pacing needs to know. */
export class Chats {
  readonly #sql: SqlStorage;
  readonly #sweep: TableSweep;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#sweep = new TableSweep(sql, {
      table: 'chats',
      key: 'recipient',
      isOver: 'max(coalesce(last_out_at, 0), coalesce(last_in_at, 0)) < ?1',
      keptMs: chatKeptMs,
    });
  }

  /** A time that lies in the future, since the clock went back, is taken for now, once and for all. */
  find(recipient: string, now: number): Chat {
    const row = this.#sql
      .exec<{ last_out_at: number | null; last_in_at: number | null }>(
        'SELECT last_out_at, last_in_at FROM chats WHERE recipient = ?',
        recipient,
      )
      .toArray()[0];
    if (row?.last_out_at && row.last_out_at > now) this.noteOut(recipient, now);
    if (row?.last_in_at && row.last_in_at > now) this.#write('last_in_at', recipient, now);
    return {
      lastOutAt: row?.last_out_at ? Math.min(row.last_out_at, now) : null,
      lastInAt: row?.last_in_at ? Math.min(row.last_in_at, now) : null,
    };
  }

  noteOut(recipient: string, at: number): void {
    this.#write('last_out_at', recipient, at);
  }

  noteIn(author: string, at: number, now: number): void {
    const { lastInAt } = this.find(author, now);
    if (lastInAt === null || at - lastInAt > inboundStepMs)
      this.#write('last_in_at', author, Math.min(at, now));
  }

  /** They were erased. */
  forget(recipient: string): void {
    this.#sql.exec('DELETE FROM chats WHERE recipient = ?', recipient);
  }

  /** Forgets chats in which nobody has written for long; see {@link TableSweep.sweep}. */
  sweep(now: number): boolean {
    return this.#sweep.sweep(now);
  }

  #write(column: 'last_out_at' | 'last_in_at', recipient: string, at: number): void {
    this.#sql.exec(
      `INSERT INTO chats (recipient, ${column}) VALUES (?, ?) ON CONFLICT DO UPDATE SET ${column} = excluded.${column}`,
      recipient,
      at,
    );
  }
}
