import { withinDeadline } from '../deadline.ts';
import { endOfWait } from '../due-times.ts';
import { type Fact, type FactsTaken, workMax, workOf } from '../event-log/facts.ts';
import { logFault } from '../log.ts';
import { Tables } from '../storage/rows.ts';

/** Facts in one call of the log. */
const factsMax = 100;
const firstRetryMs = 500;
const retryMsMax = 60_000;
/** How long the log may take to answer. */
const answerMsMax = 20_000;
/** An object that dies while it tells the log is woken after that long. */
const wakeAfterMs = 30_000;
/** How many waiting rows are kept in memory, or how many characters of them. */
const windowRowsMax = 1_000;
const windowCharactersMax = 4_000_000;

/** The table of an outbox: a row a change, whatever number of facts it tells. */
export const logOutboxSql = 'CREATE TABLE log_outbox (seq INTEGER PRIMARY KEY, facts TEXT NOT NULL);';

interface Row {
  seq: number;
  facts: readonly Fact[];
  characters: number;
}

type StoredRow = { seq: number; facts: string };

/**
 * Facts on their way from an object to its account's log. They are stored in the transaction of the change that they report,
 * and deleted when the log has responded how many it has taken. There is one call at a time, in order. A call without a
 * response is repeated, which changes nothing in the log. However long the log is unavailable, only the first rows are in
 * memory; the others are read after them.
 */
export class LogOutbox extends Tables {
  readonly #tellLog: (facts: readonly Fact[]) => Promise<FactsTaken>;
  /** The first rows of the table, in order. */
  #rows: Row[] = [];
  #characters = 0;
  /** The table holds rows behind these. */
  #hasMore = false;
  #lastSeq = 0;
  #flushing: Promise<void> | null = null;
  #flushBeganAt = 0;
  #retryMs = firstRetryMs;
  #retryAt = 0;

  /** `tellLog` calls the log. */
  constructor(sql: SqlStorage, tellLog: (facts: readonly Fact[]) => Promise<FactsTaken>) {
    super(sql);
    this.#tellLog = tellLog;
    this.reload();
  }

  /** After a transaction that was rolled back, and at the beginning of a life. */
  reload(): void {
    this.#readWindow();
    const last = this.queryValue<number>('SELECT max(seq) FROM log_outbox');
    this.#lastSeq = Math.max(this.#lastSeq, last ?? 0);
  }

  /** Stores facts behind all others. Call inside the transaction of the change, and {@link flush} after it. */
  add(facts: readonly Fact[]): void {
    if (facts.length === 0) return;
    this.#lastSeq += 1;
    const json = JSON.stringify(facts);
    this.sql.exec('INSERT INTO log_outbox (seq, facts) VALUES (?, ?)', this.#lastSeq, json);
    if (!this.#hasMore && this.#hasRoom) this.#keep({ seq: this.#lastSeq, facts, characters: json.length });
    else this.#hasMore = true;
  }

  /** Of the facts that the log is not known to have, the last that holds this id and is the one looked for. */
  findLast(id: string, isIt: (fact: Fact) => boolean): Fact | null {
    if (this.#hasMore) {
      const stored = this.sql.exec<StoredRow>(
        'SELECT seq, facts FROM log_outbox WHERE seq > ? AND instr(facts, ?) > 0 ORDER BY seq DESC',
        this.#rows.at(-1)?.seq ?? 0,
        id,
      );
      for (const { facts } of stored) {
        const found = (JSON.parse(facts) as Fact[]).findLast(isIt);
        if (found) return found;
      }
    }
    for (const { facts } of this.#rows.toReversed()) {
      const found = facts.findLast(isIt);
      if (found) return found;
    }
    return null;
  }

  get isEmpty(): boolean {
    return this.#rows.length === 0;
  }

  /** When the log is to be told again; null while nothing waits. */
  dueAt(): number | null {
    if (this.isEmpty) return null;
    if (this.#flushing === null) return endOfWait(this.#retryAt, this.#retryMs);
    return endOfWait(this.#flushBeganAt + wakeAfterMs, wakeAfterMs);
  }

  /** Tells the log everything that waits. Never throws: what it could not tell stays due. */
  flush(): Promise<void> {
    if (this.#flushing === null) this.#flushBeganAt = Date.now();
    this.#flushing ??= this.#flush().finally(() => {
      this.#flushing = null;
    });
    return this.#flushing;
  }

  async #flush(): Promise<void> {
    while (!this.isEmpty) {
      const rows = this.#first();
      const facts = rows.flatMap((row) => row.facts);
      try {
        const { taken } = await withinDeadline(this.#tellLog(facts), answerMsMax);
        if (taken === 0) throw new Error(`the log took none of ${facts.length} facts`);
        this.#forget(rows, taken);
      } catch (error) {
        logFault('log.not_told', error, { facts: facts.length });
        this.#retryAt = Date.now() + this.#retryMs;
        this.#retryMs = Math.min(2 * this.#retryMs, retryMsMax);
        return;
      }
      this.#retryMs = firstRetryMs;
    }
  }

  /** The first rows, as many as fit into one call. */
  #first(): Row[] {
    let facts = 0;
    let work = 0;
    const end = this.#rows.findIndex((row) => {
      facts += row.facts.length;
      for (const fact of row.facts) work += workOf(fact);
      return facts > factsMax || work > workMax;
    });
    return end === -1 ? [...this.#rows] : this.#rows.slice(0, Math.max(1, end));
  }

  /** The log has taken this many of the facts of these rows, from the first on. */
  #forget(rows: readonly Row[], taken: number): void {
    let left = taken;
    let last = 0;
    for (const { seq, facts } of rows) {
      if (facts.length > left) {
        this.#keepRest(seq, facts.slice(left));
        break;
      }
      left -= facts.length;
      last = seq;
    }
    this.sql.exec('DELETE FROM log_outbox WHERE seq <= ?', last);
    const told = this.#rows.findIndex(({ seq }) => seq > last);
    const gone = this.#rows.splice(0, told === -1 ? this.#rows.length : told);
    for (const { characters } of gone) this.#characters -= characters;
    if (this.#rows.length === 0 && this.#hasMore) this.#readWindow();
  }

  /** Of a row the log has the beginning. */
  #keepRest(seq: number, facts: readonly Fact[]): void {
    const json = JSON.stringify(facts);
    this.sql.exec('UPDATE log_outbox SET facts = ? WHERE seq = ?', json, seq);
    const index = this.#rows.findIndex((row) => row.seq === seq);
    this.#characters += json.length - (this.#rows[index]?.characters ?? json.length);
    if (index !== -1) this.#rows[index] = { seq, facts, characters: json.length };
  }

  get #hasRoom(): boolean {
    return this.#rows.length < windowRowsMax && this.#characters < windowCharactersMax;
  }

  #keep(row: Row): void {
    this.#rows.push(row);
    this.#characters += row.characters;
  }

  /** Reads the first rows, as many as memory is to hold. */
  #readWindow(): void {
    this.#rows = [];
    this.#characters = 0;
    this.#hasMore = false;
    for (const { seq, facts } of this.sql.exec<StoredRow>('SELECT seq, facts FROM log_outbox ORDER BY seq')) {
      if (!this.#hasRoom) {
        this.#hasMore = true;
        return;
      }
      this.#keep({ seq, facts: JSON.parse(facts), characters: facts.length });
    }
  }
}
