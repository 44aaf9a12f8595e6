/** Rows whose events are confirmed and that wait to be used again: no more than these are kept. */
const spareMax = 512;

/** Which rows are confirmed: those before `before`, and `also` these. The queue confirms nearly in order. */
interface Confirmed {
  before: number;
  also: number[];
}

/**
 * The rows of a relay, a step each.
 *
 * A row written is what an object is billed for, and deleting is writing too. So a confirmed row is not deleted but used
 * again by a later step, and which rows are confirmed is written along with that step (`confirmed` of the newest row).
 * It takes a write of its own only when nothing is left to come. Until then it is known in memory alone, and an object
 * that loses its memory sends once more what the consumer already has, which changes nothing there.
 */
export class RelayRows {
  readonly #sql: SqlStorage;
  /** Unconfirmed, in order. */
  readonly #waiting = new Set<number>();
  /** Confirmed, to be used again. */
  readonly #spare = new Set<number>();
  /** The highest place of any row, as an earlier life has left them; 0: there was none. */
  readonly lastSeq: number;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    const rows = sql
      .exec<{ seq: number; confirmed: string | null }>('SELECT seq, confirmed FROM relay ORDER BY seq')
      .toArray();
    const newest = rows.at(-1);
    const { before, also }: Confirmed = JSON.parse(newest?.confirmed ?? '{"before":0,"also":[]}');
    for (const { seq } of rows) {
      if (seq < before || also.includes(seq)) this.#spare.add(seq);
      else this.#waiting.add(seq);
    }
    this.lastSeq = newest?.seq ?? 0;
  }

  /** Places of unconfirmed rows, in order. */
  get waiting(): ReadonlySet<number> {
    return this.#waiting;
  }

  /** Stores a step's events, as JSON, behind all others. */
  store(seq: number, events: string): void {
    this.#waiting.add(seq);
    const [spare] = this.#spare;
    if (spare !== undefined) this.#spare.delete(spare);
    const confirmed = this.#confirmed(seq);
    const used =
      spare === undefined
        ? 0
        : this.#sql.exec(
            'UPDATE relay SET seq = ?, events = ?, confirmed = ? WHERE seq = ?',
            seq,
            events,
            confirmed,
            spare,
          ).rowsWritten;
    if (used === 0) {
      this.#sql.exec('INSERT INTO relay (seq, events, confirmed) VALUES (?, ?, ?)', seq, events, confirmed);
    }
  }

  /** The events of a row, as JSON; null when its transaction came to nothing. */
  eventsAt(seq: number): string | null {
    const query = 'SELECT events FROM relay WHERE seq = ?';
    return this.#sql.exec<{ events: string }>(query, seq).toArray()[0]?.events ?? null;
  }

  /** It is not there: its transaction came to nothing. */
  drop(seq: number): void {
    this.#waiting.delete(seq);
  }

  /** Its events are with the consumer; false when it is no unconfirmed row. `settle` afterwards. */
  confirm(seq: number): boolean {
    if (!this.#waiting.delete(seq)) return false;
    if (this.#spare.size < spareMax) this.#spare.add(seq);
    else this.#sql.exec('DELETE FROM relay WHERE seq = ?', seq);
    return true;
  }

  /** Writes down what is confirmed where no row is left that will. `lastSeq`: no event has a higher place. */
  settle(lastSeq: number): void {
    if (this.#waiting.size > 0) return;
    this.#sql.exec(
      'UPDATE relay SET confirmed = ? WHERE seq = (SELECT max(seq) FROM relay)',
      this.#confirmed(lastSeq),
    );
  }

  #confirmed(lastSeq: number): string {
    const [oldestWaiting] = this.#waiting;
    const before = oldestWaiting ?? lastSeq + 1;
    const also = [...this.#spare].filter((seq) => seq >= before);
    return JSON.stringify({ before, also } satisfies Confirmed);
  }
}
