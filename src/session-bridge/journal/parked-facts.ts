import type { JournalDatabase } from './database.ts';

const factsMax = 1_000;
const charactersMax = 16 * 1024 * 1024;

/**
 * Facts that the edge can never take are set aside, so that they hold up nothing behind them. They are kept for whoever
 * looks into it, the newest ones, and are never sent.
 */
export class ParkedFacts {
  readonly #db: JournalDatabase;

  constructor(db: JournalDatabase) {
    this.#db = db;
  }

  /** Moves the rows of a frame here. Answers how many there were, and of which kind. */
  park(numberId: string, frame: number, reason: string): { rows: number; kind: string | null } {
    return this.#db.transaction(() => {
      const where = 'number_id = ? AND frame = ?';
      this.#db.run(
        `INSERT INTO parked_facts (at, number_id, kind, reason, body)
         SELECT ?, number_id, kind, ?, body FROM facts WHERE ${where} ORDER BY seq`,
        Date.now(),
        reason,
        numberId,
        frame,
      );
      const gone = this.#db.changeReturning<{ kind: string }>(
        `DELETE FROM facts WHERE ${where} RETURNING kind`,
        numberId,
        frame,
      );
      this.#dropOldest();
      return { rows: gone.length, kind: gone[0]?.kind ?? null };
    });
  }

  #dropOldest(): void {
    this.#db.run(
      `DELETE FROM parked_facts WHERE id IN (
         SELECT id FROM (
           SELECT id, sum(length(body)) OVER newest AS characters, row_number() OVER newest AS facts
           FROM parked_facts WINDOW newest AS (ORDER BY id DESC)
         ) WHERE characters > ? OR facts > ?)`,
      charactersMax,
      factsMax,
    );
  }
}
