import { hourMs } from '../../contract/times.ts';
import type { FailureCount } from './request-entry.ts';
import { requestsKeptMs } from './request-rows.ts';

/** Kinds of failures in one answer. */
const kindsMax = 200;

type Row = {
  method: string;
  route: string;
  code: string;
  status: number;
  count: number;
  lastAt: number;
  lastRequestId: string;
};

export type FailureGroup = Omit<FailureCount, 'keyId'>;

/** How often requests failed, by what and where. Call what writes inside a transaction. */
export class FailureCounts {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  add(failures: readonly FailureCount[], now: number): void {
    for (const { keyId, method, route, code, status, count, lastAt, lastRequestId } of failures) {
      this.#sql.exec(
        `INSERT INTO failures (hour, key_id, method, route, code, status, count, last_at, last_request_id)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET count = count + excluded.count, last_at = excluded.last_at,
           last_request_id = excluded.last_request_id`,
        Math.floor(now / hourMs),
        ...[keyId, method, route, code, status, count, lastAt, lastRequestId],
      );
    }
  }

  /** The most frequent first; by whole hours, of one key or of all. */
  groups(keyId: string | null, since: number, until: number, now: number): FailureGroup[] {
    return this.#sql
      .exec<Row>(
        `SELECT method, route, code, status, sum(count) AS count, max(last_at) AS lastAt,
           last_request_id AS lastRequestId
         FROM failures WHERE hour BETWEEN ?1 AND ?2 AND (?3 IS NULL OR key_id = ?3)
         GROUP BY method, route, code, status ORDER BY count DESC, lastAt DESC LIMIT ?4`,
        Math.floor(Math.max(since, now - requestsKeptMs) / hourMs),
        Math.floor(until / hourMs),
        keyId,
        kindsMax,
      )
      .toArray();
  }

  sweepDueAt(): number | null {
    const { hour } = this.#sql.exec<{ hour: number | null }>('SELECT min(hour) AS hour FROM failures').one();
    // A day later than they may go, so that what goes is a day's.
    return hour === null ? null : hour * hourMs + requestsKeptMs + 24 * hourMs;
  }

  sweep(now: number): void {
    this.#sql.exec('DELETE FROM failures WHERE hour < ?', Math.floor((now - requestsKeptMs) / hourMs));
  }
}
