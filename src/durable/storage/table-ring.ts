import { earliest } from '../due-times.ts';
import { Tables } from './rows.ts';

/** Tables in a ring. One is written, the one before is still read, the third is dropped before its turn comes. */
const ringSize = 3;

export interface TableRingShape {
  name: string;
  /** Columns after `span`, and what else stands in the parentheses of `CREATE TABLE`. */
  columns: string;
  /** The time that one table takes in, in milliseconds: what is stored lives that long at least, and twice that at most. */
  spanMs: number;
}

/** The migration that creates a ring. */
export function tableRingSql(shape: TableRingShape): string {
  return Array.from({ length: ringSize }, (_, index) => createSql(shape, index)).join('\n');
}

function createSql({ name, columns }: TableRingShape, index: number): string {
  return `CREATE TABLE ${name}_${index} (span INTEGER NOT NULL, ${columns}) WITHOUT ROWID;`;
}

/**
 * Rows that are needed only for a while, in tables by time. A table whose time is over is dropped as a whole, which writes no
 * rows: deleting each row would cost as much as storing it did.
 */
export class TableRing extends Tables {
  readonly #shape: TableRingShape;
  /** The newest span in each table, as far as this life of the object knows; null: it is empty. */
  readonly #spans: (number | null)[];

  constructor(sql: SqlStorage, shape: TableRingShape) {
    super(sql);
    this.#shape = shape;
    this.#spans = [];
    this.reload();
  }

  /** After a transaction that was rolled back, and once the storage was emptied. */
  reload(): void {
    for (let index = 0; index < ringSize; index += 1) this.#spans[index] = this.#newestSpan(index);
  }

  spanOf(at: number): number {
    return Math.floor(at / this.#shape.spanMs);
  }

  /** The table that takes what happens at `at`; what is left in it of an earlier round is dropped. Its rows bear that span. */
  tableFor(at: number): string {
    const span = this.spanOf(at);
    const index = span % ringSize;
    const newest = this.#spans[index] ?? null;
    if (newest !== null && newest <= span - ringSize) this.#drop(index);
    this.#spans[index] = Math.max(newest ?? span, span);
    return this.#tableOf(index);
  }

  /** Every table with rows in it, the one for `at` first. */
  tablesFrom(at: number): string[] {
    const span = this.spanOf(at);
    return [span, span - 1, span + 1]
      .map((it) => ((it % ringSize) + ringSize) % ringSize)
      .filter((index) => this.#spans[index] !== null)
      .map((index) => this.#tableOf(index));
  }

  /** When the oldest table may go; null when all are empty. */
  sweepDueAt(): number | null {
    const oldest = earliest(this.#spans);
    return oldest === null ? null : (oldest + 2) * this.#shape.spanMs;
  }

  sweep(now: number): void {
    const current = this.spanOf(now);
    for (const [index, span] of this.#spans.entries()) {
      if (span !== null && span < current - 1) this.#drop(index);
    }
  }

  #drop(index: number): void {
    this.sql.exec(`DROP TABLE ${this.#tableOf(index)}`);
    this.sql.exec(createSql(this.#shape, index));
    this.#spans[index] = null;
  }

  #newestSpan(index: number): number | null {
    return this.queryValue<number>(`SELECT max(span) FROM ${this.#tableOf(index)}`);
  }

  #tableOf(index: number): string {
    return `${this.#shape.name}_${index}`;
  }
}
