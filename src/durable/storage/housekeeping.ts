import { Tables } from './rows.ts';

const everyMs = 24 * 3600 * 1000;
/** Between two slices of one sweep. */
const sliceEveryMs = 1_000;

/** Something that forgets what is too old. */
interface Keeper {
  /** Takes a slice; true once there is nothing more for today. */
  sweep(now: number): boolean;
}

/** Where an object notes when it was last swept: one row a day. Milliseconds since 1970; null: there was nothing yet. */
interface SweptMark {
  read(): number | null;
  write(at: number): void;
}

/**
 * Deletes what is too old, once a day and in slices, in objects that have something to delete. Nobody waits for it, so it
 * begins when the object's alarm fires for something else: an object in which nothing happens deletes nothing.
 */
export class Housekeeping {
  readonly #mark: SweptMark;
  readonly #keepers: readonly Keeper[];
  #sweptAt: number | null;
  /** Those that are not at the end of their tables yet; null while no sweep is under way. */
  #busy: readonly Keeper[] | null = null;
  #nextSliceAt = 0;

  constructor(mark: SweptMark, keepers: readonly Keeper[]) {
    this.#mark = mark;
    this.#keepers = keepers;
    this.#sweptAt = mark.read();
  }

  /** There is something to forget some day. Call inside the transaction that stores it. */
  begin(now: number): void {
    if (this.#sweptAt === null) this.#note(now);
  }

  dueAt(): number | null {
    if (this.#sweptAt === null) return null;
    return this.#busy === null ? this.#sweptAt + everyMs : this.#nextSliceAt;
  }

  /** When the alarm has to ring for it: a sweep that has begun goes on by itself. */
  wakesAt(): number | null {
    return this.#busy === null ? null : this.#nextSliceAt;
  }

  /** A slice of each table that is not done. */
  sweep(now: number): void {
    const busy = (this.#busy ?? this.#keepers).filter((keeper) => !keeper.sweep(now));
    this.#busy = busy.length === 0 ? null : busy;
    this.#nextSliceAt = now + sliceEveryMs;
    if (this.#busy === null) this.#note(now);
  }

  /** After a transaction that was rolled back. */
  reload(): void {
    this.#sweptAt = this.#mark.read();
  }

  #note(at: number): void {
    this.#mark.write(at);
    this.#sweptAt = at;
  }
}

/** Keys that one slice looks at. */
const sliceMax = 1_000;

interface SweptTableShape {
  table: string;
  /** The first column of its primary key; text. */
  key: string;
  /** SQL that holds for a row that may go; `?1` stands for the time before which things are too old. */
  isOver: string;
  /** How long a row is kept, in milliseconds. */
  keptMs: number;
}

/**
 * A table whose rows are deleted when they are too old, a slice at a time, so that no run takes long however large it is. A
 * deleted row costs as much as a written one; a row that is only read costs a thousandth of that.
 */
export class SweptTable extends Tables {
  readonly #shape: SweptTableShape;
  /** Where the next slice begins; in memory: a new life begins anew. */
  #from = '';

  constructor(sql: SqlStorage, shape: SweptTableShape) {
    super(sql);
    this.#shape = shape;
  }

  /** Takes the next slice; true once it has come to the end of the table. */
  sweep(now: number): boolean {
    const { table, key, isOver, keptMs } = this.#shape;
    const end = this.queryValue<string>(
      `SELECT ${key} FROM ${table} WHERE ${key} > ? ORDER BY ${key} LIMIT 1 OFFSET ?`,
      this.#from,
      sliceMax - 1,
    );
    const tooOldBefore = now - keptMs;
    if (end === null) {
      this.sql.exec(`DELETE FROM ${table} WHERE ${key} > ?2 AND (${isOver})`, tooOldBefore, this.#from);
      this.#from = '';
      return true;
    }
    this.sql.exec(
      `DELETE FROM ${table} WHERE ${key} > ?2 AND ${key} <= ?3 AND (${isOver})`,
      tooOldBefore,
      this.#from,
      end,
    );
    this.#from = end;
    return false;
  }
}
