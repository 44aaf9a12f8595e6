import { periodOf } from './quota.ts';
import type { Turn } from './rotation.ts';

/** Days of counts that are kept. */
const keptDays = 400;
/** Days after which a number's place in the rotation is forgotten. */
const turnDays = 35;
const dayMs = 24 * 3600 * 1000;

/** The day (UTC) that a time falls into, as `YYYY-MM-DD`. */
function dayOfDate(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** What was sent, by calendar month and by day and number; kept exact by counting in the transaction that admits. */
export class SendCounts {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Of a period: messages counted, and when `quota.exceeded` was last told. */
  quota(period: string): { used: number; exceededAt: number | null } {
    const row = this.#sql
      .exec<{ used: number; exceeded_at: number | null }>('SELECT * FROM quota WHERE period = ?', period)
      .toArray()[0];
    return { used: row?.used ?? 0, exceededAt: row?.exceeded_at ?? null };
  }

  noteExceededTold(period: string, now: number): void {
    this.#sql.exec('UPDATE quota SET exceeded_at = ? WHERE period = ?', now, period);
  }

  /** Counts a message that was queued at `at`, and stores the turn that the number took for it. */
  add(numberId: string, at: number, turn: Turn): void {
    this.#addToPeriod(periodOf(at), 1);
    this.addToNumber(numberId, at, turn);
  }

  /** The number's part alone: a message that moved is counted by its new number. */
  addToNumber(numberId: string, at: number, turn: Turn | null): void {
    this.#sql.exec(
      `INSERT INTO sends (day, number_id, used, turn_start, turn_end) VALUES (?1, ?2, 1, coalesce(?3, 0), coalesce(?4, 0))
         ON CONFLICT DO UPDATE SET used = used + 1, turn_start = max(turn_start, coalesce(?3, 0)),
           turn_end = coalesce(?4, turn_end)`,
      dayOfDate(at),
      numberId,
      turn?.start ?? null,
      turn?.end ?? null,
    );
  }

  /** A message that was counted at `at` counts no longer; without a number only in the total. */
  takeOff(numberId: string | null, at: number): void {
    this.#addToPeriod(periodOf(at), -1);
    if (numberId !== null) this.takeOffNumber(numberId, at);
  }

  takeOffNumber(numberId: string, at: number): void {
    this.#sql.exec(
      'UPDATE sends SET used = max(0, used - 1) WHERE day = ? AND number_id = ?',
      dayOfDate(at),
      numberId,
    );
  }

  #addToPeriod(period: string, by: 1 | -1): void {
    this.#sql.exec(
      'INSERT INTO quota (period, used) VALUES (?, max(0, ?)) ON CONFLICT DO UPDATE SET used = max(0, used + ?)',
      period,
      by,
      by,
    );
  }

  /** Of a period (`YYYY-MM`): by number, most first, and by day, oldest first. Days and numbers without any are left out. */
  breakdown(period: string): {
    byNumber: { numberId: string; used: number }[];
    byDay: { day: string; used: number }[];
  } {
    const rows = this.#sql
      .exec<{ day: string; number_id: string; used: number }>(
        'SELECT day, number_id, used FROM sends WHERE day >= ? AND day < ? AND used > 0 ORDER BY day',
        `${period}-01`,
        `${period}-99`,
      )
      .toArray();
    const byNumber = new Map<string, number>();
    const byDay = new Map<string, number>();
    for (const row of rows) {
      byNumber.set(row.number_id, (byNumber.get(row.number_id) ?? 0) + row.used);
      byDay.set(row.day, (byDay.get(row.day) ?? 0) + row.used);
    }
    return {
      byNumber: [...byNumber]
        .map(([numberId, used]) => ({ numberId, used }))
        .sort((a, b) => b.used - a.used || a.numberId.localeCompare(b.numberId)),
      byDay: [...byDay].map(([day, used]) => ({ day, used })),
    };
  }

  /** Where each number stands in the rotation. */
  turns(now: number): Map<string, Turn> {
    const rows = this.#sql.exec<{ number_id: string; turn_start: number; turn_end: number }>(
      `SELECT number_id, max(turn_start) AS turn_start, max(turn_end) AS turn_end FROM sends
         WHERE day >= ? GROUP BY number_id`,
      dayOfDate(now - turnDays * dayMs),
    );
    return new Map(
      [...rows].map((row) => [row.number_id, { start: row.turn_start, end: row.turn_end }] as const),
    );
  }

  /** Recipients that a number has looked up on the network on this day. */
  checksOf(numberId: string, now: number): number {
    const row = this.#sql
      .exec<{ checks: number }>(
        'SELECT checks FROM sends WHERE day = ? AND number_id = ?',
        dayOfDate(now),
        numberId,
      )
      .toArray()[0];
    return row?.checks ?? 0;
  }

  noteCheck(numberId: string, now: number): void {
    this.#sql.exec(
      `INSERT INTO sends (day, number_id, checks) VALUES (?, ?, 1)
         ON CONFLICT DO UPDATE SET checks = checks + 1`,
      dayOfDate(now),
      numberId,
    );
  }

  sweep(now: number): void {
    this.#sql.exec('DELETE FROM sends WHERE day < ?', dayOfDate(now - keptDays * dayMs));
  }
}
