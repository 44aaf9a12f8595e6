import type { NumberNote } from '../../hand-over/number-news.ts';
import { log } from '../../log.ts';

const keptMax = 1_000;

/** Notes that could not be stored as what they are: kept for a person to look at, the newest ones. */
export class ParkedNotes {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  add(note: NumberNote, error: unknown, now: number): void {
    this.#sql.exec(
      'INSERT INTO parked_notes (at, note, error) VALUES (?, ?, ?)',
      now,
      JSON.stringify(note),
      String(error),
    );
    this.#sql.exec('DELETE FROM parked_notes WHERE id <= (SELECT max(id) FROM parked_notes) - ?', keptMax);
    log('note.parked', { kind: note.kind });
  }
}
