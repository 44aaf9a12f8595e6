import { dayMs, utcDay } from '../../../contract/times.ts';
import { Tables } from '../../storage/rows.ts';

/** The calendar month (UTC) that a time falls into, as `YYYY-MM`. */
export function periodOf(at: number): string {
  return new Date(at).toISOString().slice(0, 7);
}

/** When the period ends and the count begins anew; ISO 8601, UTC, milliseconds. */
export function resetAt(period: string): string {
  const [year = 0, month = 0] = period.split('-').map(Number);
  return new Date(Date.UTC(year, month, 1)).toISOString();
}

/** While sends are being rejected, `quota.exceeded` is told at most this often. */
const exceededEveryMs = 60_000;

/** Whether a rejected send is to be told: the first of a period, then at most one a minute, also by a clock that was set back. */
export function tellsExceeded(lastToldAt: number | null, now: number): boolean {
  return lastToldAt === null || Math.abs(now - lastToldAt) >= exceededEveryMs;
}

/** Days of counts that are kept. */
const keptDays = 400;

/** What was sent, by day and number; exact, since it is counted in the transaction that accepts. */
export class SendCounts extends Tables {
  /** The total of the period that was asked for last. */
  #total: { period: string; used: number } | null = null;
  /** What was counted in the present transaction, by day and number. */
  readonly #unsaved = new Map<string, Map<string, number>>();

  /** Messages counted in a period (`YYYY-MM`). */
  used(period: string): number {
    if (this.#total?.period !== period) {
      const { used } = this.queryOne<{ used: number }>(
        'SELECT coalesce(sum(used), 0) AS used FROM sends WHERE day >= ? AND day <= ?',
        `${period}-01`,
        `${period}-99`,
      );
      this.#total = { period, used };
    }
    return this.#total.used;
  }

  /** Counts a message that was accepted at `at`, by the number that is to send it. {@link save} is to follow. */
  add(numberId: string, at: number): void {
    const day = utcDay(at);
    const onDay = this.#unsaved.get(day) ?? new Map<string, number>();
    onDay.set(numberId, (onDay.get(numberId) ?? 0) + 1);
    this.#unsaved.set(day, onDay);
    this.#addToTotal(periodOf(at), 1);
  }

  /** Writes down what was counted, in the same transaction. */
  save(): void {
    for (const [day, byNumber] of this.#unsaved) {
      for (const [numberId, messages] of byNumber) {
        this.sql.exec(
          `INSERT INTO sends (day, number_id, used) VALUES (?, ?, ?)
             ON CONFLICT DO UPDATE SET used = used + excluded.used`,
          day,
          numberId,
          messages,
        );
      }
    }
    this.#unsaved.clear();
  }

  /** A message that was accepted at `at` counts no longer, or not by this number. */
  takeOff(numberId: string, at: number): void {
    const isTaken = this.queryAny(
      'UPDATE sends SET used = used - 1 WHERE day = ? AND number_id = ? AND used > 0 RETURNING 1',
      utcDay(at),
      numberId,
    );
    if (isTaken) this.#addToTotal(periodOf(at), -1);
  }

  /** After a transaction that was rolled back. */
  reload(): void {
    this.#total = null;
    this.#unsaved.clear();
  }

  /** Of a period (`YYYY-MM`): by number, most first, and by day, oldest first. Days and numbers without any are left out. */
  breakdown(period: string): {
    byNumber: { numberId: string; used: number }[];
    byDay: { day: string; used: number }[];
  } {
    const sumBy = (column: 'number_id' | 'day', order: string) =>
      this.queryAll<{ name: string; used: number }>(
        `SELECT ${column} AS name, sum(used) AS used FROM sends WHERE day >= ? AND day <= ?
             GROUP BY ${column} HAVING sum(used) > 0 ORDER BY ${order}`,
        `${period}-01`,
        `${period}-99`,
      );
    return {
      byNumber: sumBy('number_id', 'sum(used) DESC, number_id').map(({ name, used }) => ({
        numberId: name,
        used,
      })),
      byDay: sumBy('day', 'day').map(({ name, used }) => ({ day: name, used })),
    };
  }

  /** Recipients that a number has looked up on the network on this day. */
  checksOf(numberId: string, now: number): number {
    const query = 'SELECT checks FROM sends WHERE day = ? AND number_id = ?';
    return this.queryValue<number>(query, utcDay(now), numberId) ?? 0;
  }

  noteCheck(numberId: string, now: number): void {
    this.sql.exec(
      `INSERT INTO sends (day, number_id, checks) VALUES (?, ?, 1)
         ON CONFLICT DO UPDATE SET checks = checks + 1`,
      utcDay(now),
      numberId,
    );
  }

  /** Forgets what is too old: a row a number and day, so never many at a time. */
  sweep(now: number): boolean {
    this.sql.exec('DELETE FROM sends WHERE day < ?', utcDay(now - keptDays * dayMs));
    return true;
  }

  #addToTotal(period: string, by: number): void {
    if (this.#total?.period === period) this.#total.used += by;
  }
}
