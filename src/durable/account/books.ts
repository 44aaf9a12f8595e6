import type { Turn } from './rotation.ts';

/** What the account must know of one of its numbers after a crash. */
export interface Book {
  /** The latest day (UTC) that it was given messages, as `YYYY-MM-DD`; empty before the first. */
  day: string;
  /** Messages counted on that day, and in its month. */
  today: number;
  month: number;
  /** Its place in the rotation. */
  turn: Turn;
  /** Recipients that it has looked up on the network, and on which day. */
  checks: { day: string; count: number };
  /** What it may still send today, and under which revision of its reports; null before it was given anything. */
  allowance: { left: number | null; revision: number } | null;
  /** The report after which it was tried with one message. */
  triedRevision: number | null;
  /** Messages that it was given, and is not known to have taken: each with its `Idempotency-Key`. */
  pending: Record<string, string | null>;
  /** When API keys last sent through it; milliseconds since 1970. */
  keys: Record<string, number>;
}

const blank: Omit<Book, 'pending' | 'keys'> = {
  day: '',
  today: 0,
  month: 0,
  turn: { start: 0, end: 0 },
  checks: { day: '', count: 0 },
  allowance: null,
  triedRevision: null,
};

/**
 * One row a number, written whole with every message that it is given: whatever a send must not lose stands there, so
 * that a send writes one row and not one for each thing. In memory the books are further than in the rows, but never
 * in what counts.
 */
export class Books {
  readonly #sql: SqlStorage;
  readonly #books = new Map<string, Book>();

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.reload();
  }

  of(numberId: string): Book {
    const known = this.#books.get(numberId);
    if (known) return known;
    const book: Book = { ...blank, pending: {}, keys: {} };
    this.#books.set(numberId, book);
    return book;
  }

  all(): Iterable<[numberId: string, Book]> {
    return this.#books;
  }

  save(numberId: string): void {
    const json = JSON.stringify(this.of(numberId));
    this.#sql.exec('INSERT OR REPLACE INTO books (number_id, json) VALUES (?, ?)', numberId, json);
  }

  forget(numberId: string): void {
    if (this.#books.delete(numberId)) this.#sql.exec('DELETE FROM books WHERE number_id = ?', numberId);
  }

  /** After a transaction that was rolled back, and at the beginning of a life. */
  reload(): void {
    this.#books.clear();
    for (const row of this.#sql.exec<{ number_id: string; json: string }>('SELECT * FROM books')) {
      this.#books.set(row.number_id, { ...blank, pending: {}, keys: {}, ...JSON.parse(row.json) });
    }
  }
}
