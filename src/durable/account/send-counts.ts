import type { Book, Books } from './books.ts';
import { periodOf } from './quota.ts';
import type { Turn } from './rotation.ts';

/** Days of counts that are kept. */
const keptDays = 400;
const dayMs = 24 * 3600 * 1000;

/** The day (UTC) that a time falls into, as `YYYY-MM-DD`. */
function dayOfDate(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
const periodOfDay = (day: string): string => day.slice(0, 7);

/**
 * What was sent, by calendar month and by day and number; kept exact by counting in the transaction that admits. The
 * latest day of each number is in its book, the days before in the table `sends`, written once a day is over.
 */
export class SendCounts {
  readonly #sql: SqlStorage;
  readonly #books: Books;
  /** The total of the period that was asked for last. */
  #total: { period: string; used: number } | null = null;

  constructor(sql: SqlStorage, books: Books) {
    this.#sql = sql;
    this.#books = books;
  }

  /** Messages counted in a period. */
  used(period: string): number {
    if (this.#total?.period !== period) {
      const used = [...this.#byNumber(period).values()].reduce((sum, count) => sum + count, 0);
      this.#total = { period, used };
    }
    return Math.max(0, this.#total.used);
  }

  /** When `quota.exceeded` was last told in a period. */
  exceededAt(period: string): number | null {
    return (
      this.#sql
        .exec<{ exceeded_at: number | null }>('SELECT exceeded_at FROM quota WHERE period = ?', period)
        .toArray()[0]?.exceeded_at ?? null
    );
  }

  noteExceededTold(period: string, now: number): void {
    this.#sql.exec('INSERT OR REPLACE INTO quota (period, exceeded_at) VALUES (?, ?)', period, now);
  }

  /**
   * Counts a message that was queued at `at`, in the number's book, which is to be saved in the same transaction. A
   * message that moved is counted by its new number: `turn` null where that has taken its turn before.
   */
  add(numberId: string, at: number, turn: Turn | null): void {
    const day = dayOfDate(at);
    const book = this.#books.of(numberId);
    if (day > book.day) this.#open(numberId, book, day);
    if (day === book.day) {
      book.today += 1;
    } else {
      this.#sql.exec(
        'INSERT INTO sends (day, number_id, used) VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET used = used + 1',
        day,
        numberId,
      );
    }
    if (periodOfDay(day) === periodOfDay(book.day)) book.month += 1;
    if (turn !== null) book.turn = { start: Math.max(book.turn.start, turn.start), end: turn.end };
    this.#addToTotal(periodOf(at), 1);
  }

  /** A message that was counted at `at` counts no longer. Writes it down at once. */
  takeOff(numberId: string, at: number): void {
    const day = dayOfDate(at);
    const book = this.#books.of(numberId);
    if (book.day === day) {
      if (book.today === 0) return;
      book.today -= 1;
      book.month -= 1;
    } else {
      const taken = this.#sql
        .exec(
          'UPDATE sends SET used = used - 1 WHERE day = ? AND number_id = ? AND used > 0 RETURNING 1',
          day,
          numberId,
        )
        .toArray();
      if (taken.length === 0) return;
      if (periodOfDay(book.day) === periodOfDay(day)) book.month -= 1;
    }
    this.#books.save(numberId);
    this.#addToTotal(periodOf(at), -1);
  }

  /** Closes the book of a number that is no more: what it counted goes to the table. */
  close(numberId: string): void {
    const { day, today } = this.#books.of(numberId);
    if (day !== '') this.#writeDay(numberId, day, today);
    this.#books.forget(numberId);
  }

  /** After a transaction that was rolled back. */
  reload(): void {
    this.#total = null;
  }

  /** Of a period (`YYYY-MM`): by number, most first, and by day, oldest first. Days and numbers without any are left out. */
  breakdown(period: string): {
    byNumber: { numberId: string; used: number }[];
    byDay: { day: string; used: number }[];
  } {
    const byNumber = new Map<string, number>();
    const byDay = new Map<string, number>();
    const add = (numberId: string, day: string, used: number) => {
      byNumber.set(numberId, (byNumber.get(numberId) ?? 0) + used);
      byDay.set(day, (byDay.get(day) ?? 0) + used);
    };
    for (const row of this.#history(`${period}-01`, `${period}-99`)) {
      if (this.#books.of(row.number_id).day !== row.day) add(row.number_id, row.day, row.used);
    }
    for (const [numberId, book] of this.#books.all()) {
      if (periodOfDay(book.day) === period) add(numberId, book.day, book.today);
    }
    const some = ({ used }: { used: number }) => used > 0;
    return {
      byNumber: [...byNumber]
        .map(([numberId, used]) => ({ numberId, used }))
        .filter(some)
        .sort((a, b) => b.used - a.used || a.numberId.localeCompare(b.numberId)),
      byDay: [...byDay]
        .map(([day, used]) => ({ day, used }))
        .filter(some)
        .sort((a, b) => a.day.localeCompare(b.day)),
    };
  }

  /** Recipients that a number has looked up on the network on this day. */
  checksOf(numberId: string, now: number): number {
    const { checks } = this.#books.of(numberId);
    return checks.day === dayOfDate(now) ? checks.count : 0;
  }

  noteCheck(numberId: string, now: number): void {
    const count = this.checksOf(numberId, now) + 1;
    this.#books.of(numberId).checks = { day: dayOfDate(now), count };
    this.#books.save(numberId);
  }

  /** Forgets what is too old: a row a number and day, so never many at a time. */
  sweep(now: number): boolean {
    const oldest = dayOfDate(now - keptDays * dayMs);
    this.#sql.exec('DELETE FROM sends WHERE day < ?', oldest);
    this.#sql.exec('DELETE FROM quota WHERE period < ?', periodOfDay(oldest));
    return true;
  }

  /** Opens the book at a later day: what it counted before goes to the table. */
  #open(numberId: string, book: Book, day: string): void {
    if (book.day !== '') this.#writeDay(numberId, book.day, book.today);
    const month = this.#history(`${periodOfDay(day)}-01`, day, numberId);
    book.today = month.find((row) => row.day === day)?.used ?? 0;
    book.month = month.reduce((sum, row) => sum + row.used, 0);
    book.day = day;
  }

  #writeDay(numberId: string, day: string, used: number): void {
    this.#sql.exec(
      'INSERT OR REPLACE INTO sends (day, number_id, used) VALUES (?, ?, ?)',
      day,
      numberId,
      used,
    );
  }

  /** Messages of a period by number; '' stands for what was counted before numbers were. */
  #byNumber(period: string): Map<string, number> {
    const counts = new Map<string, number>();
    for (const row of this.#history(`${period}-00`, `${period}-99`)) {
      counts.set(row.number_id, (counts.get(row.number_id) ?? 0) + row.used);
    }
    for (const [numberId, book] of this.#books.all()) {
      if (periodOfDay(book.day) === period) counts.set(numberId, book.month);
    }
    return counts;
  }

  #history(from: string, through: string, numberId: string | null = null) {
    return this.#sql
      .exec<{ day: string; number_id: string; used: number }>(
        `SELECT day, number_id, used FROM sends
           WHERE day >= ?1 AND day <= ?2 AND (?3 IS NULL OR number_id = ?3) ORDER BY day`,
        from,
        through,
        numberId,
      )
      .toArray();
  }

  #addToTotal(period: string, by: 1 | -1): void {
    if (this.#total?.period === period) this.#total.used += by;
  }
}
