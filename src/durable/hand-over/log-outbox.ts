import { withinDeadline } from '../deadline.ts';
import type { Fact, FactsTaken } from '../event-log/facts.ts';
import { logFault } from '../log.ts';

/** Facts in one call of the log. */
const factsMax = 100;
const firstRetryMs = 500;
const retryMsMax = 60_000;
/** How long the log may take to answer. */
const answerMsMax = 20_000;
/** An object that dies while it tells the log is woken after that long. */
const wakeAfterMs = 30_000;

/** The table of an outbox: a row a change, whatever number of facts it tells. */
export const logOutboxSql = 'CREATE TABLE log_outbox (seq INTEGER PRIMARY KEY, facts TEXT NOT NULL);';

interface Row {
  seq: number;
  facts: readonly Fact[];
}

/**
 * Facts on their way from an object to its account's log: stored in the transaction of the change that they tell of,
 * and forgotten when the log has answered that it has them. One call at a time, in order; what gets no answer is said
 * again, which changes nothing there.
 */
export class LogOutbox {
  readonly #sql: SqlStorage;
  readonly #take: (facts: readonly Fact[]) => Promise<FactsTaken>;
  /** What stands in the table, in order. */
  #rows: Row[] = [];
  #lastSeq = 0;
  #flushing: Promise<void> | null = null;
  #flushBeganAt = 0;
  #retryMs = firstRetryMs;
  #retryAt = 0;

  /** `take` calls the log. */
  constructor(sql: SqlStorage, take: (facts: readonly Fact[]) => Promise<FactsTaken>) {
    this.#sql = sql;
    this.#take = take;
    this.reload();
  }

  /** After a transaction that was rolled back, and at the beginning of a life. */
  reload(): void {
    this.#rows = this.#sql
      .exec<{ seq: number; facts: string }>('SELECT seq, facts FROM log_outbox ORDER BY seq')
      .toArray()
      .map(({ seq, facts }) => ({ seq, facts: JSON.parse(facts) }));
    this.#lastSeq = Math.max(this.#lastSeq, this.#rows.at(-1)?.seq ?? 0);
  }

  /** Stores facts behind all others. Call inside the transaction of the change, and {@link flush} after it. */
  add(facts: readonly Fact[]): void {
    if (facts.length === 0) return;
    this.#lastSeq += 1;
    this.#sql.exec('INSERT INTO log_outbox (seq, facts) VALUES (?, ?)', this.#lastSeq, JSON.stringify(facts));
    this.#rows.push({ seq: this.#lastSeq, facts });
  }

  /** The facts that the log is not known to have, oldest first. */
  get waiting(): readonly Fact[] {
    return this.#rows.flatMap(({ facts }) => facts);
  }

  get isEmpty(): boolean {
    return this.#rows.length === 0;
  }

  /** When the log is to be told again; null while nothing waits. */
  dueAt(): number | null {
    if (this.isEmpty) return null;
    return this.#flushing === null ? this.#retryAt : this.#flushBeganAt + wakeAfterMs;
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
        const { taken } = await withinDeadline(this.#take(facts), answerMsMax);
        if (taken < facts.length) throw new Error(`the log took ${taken} of ${facts.length} facts`);
      } catch (error) {
        logFault('log.not_told', error, { facts: facts.length });
        this.#retryAt = Date.now() + this.#retryMs;
        this.#retryMs = Math.min(2 * this.#retryMs, retryMsMax);
        return;
      }
      this.#retryMs = firstRetryMs;
      this.#forget(rows);
    }
  }

  /** The first rows, as many as fit into one call. */
  #first(): Row[] {
    let facts = 0;
    const end = this.#rows.findIndex((row) => {
      facts += row.facts.length;
      return facts > factsMax;
    });
    return end === -1 ? [...this.#rows] : this.#rows.slice(0, Math.max(1, end));
  }

  #forget(rows: readonly Row[]): void {
    const last = rows.at(-1)?.seq ?? 0;
    this.#sql.exec('DELETE FROM log_outbox WHERE seq <= ?', last);
    this.#rows = this.#rows.filter(({ seq }) => seq > last);
  }
}
