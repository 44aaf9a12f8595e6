/** Keys that one slice looks at. */
const sliceMax = 1_000;

export interface TableSweepShape {
  table: string;
  /** The first column of its primary key; text. */
  key: string;
  /** SQL that holds for a row that may go; `?1` stands for the time before which things are too old. */
  isOver: string;
  /** How long a row is kept, in milliseconds. */
  keptMs: number;
}

/**
 * Forgets the rows of a table that are too old, a slice at a time, so that no run takes long however large the table
 * is. A deleted row costs as much as a written one; a row that is only looked at costs a thousandth of that.
 */
export class TableSweep {
  readonly #sql: SqlStorage;
  readonly #shape: TableSweepShape;
  /** Where the next slice begins; in memory: a new life begins anew. */
  #from = '';

  constructor(sql: SqlStorage, shape: TableSweepShape) {
    this.#sql = sql;
    this.#shape = shape;
  }

  /** Takes the next slice; true once it has come to the end of the table. */
  sweep(now: number): boolean {
    const { table, key, isOver, keptMs } = this.#shape;
    const end = this.#sql
      .exec<{ last: string }>(
        `SELECT ${key} AS last FROM ${table} WHERE ${key} > ? ORDER BY ${key} LIMIT 1 OFFSET ?`,
        this.#from,
        sliceMax - 1,
      )
      .toArray()[0]?.last;
    const tooOldBefore = now - keptMs;
    if (end === undefined) {
      this.#sql.exec(`DELETE FROM ${table} WHERE ${key} > ?2 AND (${isOver})`, tooOldBefore, this.#from);
      this.#from = '';
      return true;
    }
    this.#sql.exec(
      `DELETE FROM ${table} WHERE ${key} > ?2 AND ${key} <= ?3 AND (${isOver})`,
      tooOldBefore,
      this.#from,
      end,
    );
    this.#from = end;
    return false;
  }
}
