import { dayMs, hourMs } from '../../contract/times.ts';
import { Tables } from '../storage/rows.ts';
import { TableRing, type TableRingShape } from '../storage/table-ring.ts';
import {
  type FailureCount,
  fits,
  type RequestBatch,
  type RequestEntry,
  type RequestFilter,
  type RequestWithBodies,
} from './request-entry.ts';

/** How long a request can be looked up. Its table is on disk for at most twice as long. */
export const requestsKeptMs = 7 * dayMs;

export const requestRing: TableRingShape = {
  name: 'requests',
  // entries: JSON, oldest first. bodies: of some of them, JSON by their place; null: of none.
  columns: 'id INTEGER NOT NULL, entries TEXT NOT NULL, bodies TEXT, PRIMARY KEY (span, id)',
  spanMs: requestsKeptMs,
};

/** Rows that one millisecond has room for. */
const rowsAMs = 10;
/** Places of a row. */
const placesMax = 100;
/** How many requests one page examines: it may be short, and continues with its cursor. */
const requestsReadMax = 10_000;
/** How many requests take as long as to read a row does. */
const requestsOfRow = 3;
/** A request is known after its end and a wait of the isolate: streams and long polls take longest. */
const lateMsMax = 120_000;

type Row = { id: number; entries: string; bodies: string | null };

/** Of a table of the ring, by which its index is used: all its rows have one. */
const ofItsSpan = (table: string) => `span = (SELECT max(span) FROM ${table})`;

export interface RequestPage {
  /** Newest first. */
  data: RequestEntry[];
  /** The next page is below this place; null at the end. */
  nextBefore: number | null;
}

/** The requests of an account, several a row. Call what writes inside a transaction. */
export class RequestRows extends TableRing {
  #lastId = 0;

  constructor(sql: SqlStorage) {
    super(sql, requestRing);
    for (const table of this.tablesFrom(Date.now())) {
      const id = this.queryValue<number>(`SELECT max(id) FROM ${table} WHERE ${ofItsSpan(table)}`);
      this.#lastId = Math.max(this.#lastId, id ?? 0);
    }
  }

  insert(entries: RequestBatch['entries'], now: number): void {
    const placed = entries.slice(0, placesMax);
    const bodies = Object.fromEntries(
      placed.flatMap(({ bodies }, place) => (bodies === null ? [] : [[place, bodies]])),
    );
    const id = Math.max(this.#lastId + 1, now * rowsAMs);
    this.sql.exec(
      `INSERT INTO ${this.tableFor(now)} (span, id, entries, bodies) VALUES (?, ?, ?, ?)`,
      this.spanOf(now),
      id,
      JSON.stringify(placed.map(({ bodies: _, ...entry }) => entry)),
      Object.keys(bodies).length === 0 ? null : JSON.stringify(bodies),
    );
    this.#lastId = id;
  }

  /** Newest first, as they came to be known. `before`: below this place; null begins with the newest. */
  page(filter: RequestFilter, limit: number, before: number | null, now: number): RequestPage {
    const data: RequestEntry[] = [];
    let read = 0;
    let place = before ?? Number.MAX_SAFE_INTEGER;
    for (const { id, entries } of this.#newestFirst(filter, place, now)) {
      if (read >= requestsReadMax) return { data, nextBefore: place };
      const requests = JSON.parse(entries) as RequestEntry[];
      read += requestsOfRow + requests.length;
      for (const [index, entry] of [...requests.entries()].reverse()) {
        const at = id * placesMax + index;
        if (at >= (before ?? Number.MAX_SAFE_INTEGER)) continue;
        if (!fits(filter, entry)) continue;
        if (data.length === limit) return { data, nextBefore: place };
        data.push(entry);
        place = at;
      }
      place = Math.min(place, id * placesMax);
    }
    return { data, nextBefore: null };
  }

  /** A request by its id, whose time leads to it. */
  find(requestId: string, now: number): RequestWithBodies | null {
    const at = Number.parseInt(requestId.slice(4, 12) + requestId.slice(13, 17), 16);
    if (!(at >= now - requestsKeptMs)) return null;
    for (const table of this.tablesFrom(now)) {
      const row = this.queryFirst<Row>(
        `SELECT id, entries, bodies FROM ${table}
           WHERE ${ofItsSpan(table)} AND id BETWEEN ? AND ? AND instr(entries, ?) > 0 LIMIT 1`,
        at * rowsAMs,
        (at + lateMsMax) * rowsAMs,
        requestId,
      );
      if (row === undefined) continue;
      const entries = JSON.parse(row.entries) as RequestEntry[];
      const index = entries.findIndex((entry) => entry.requestId === requestId);
      const entry = entries[index];
      if (entry === undefined) continue;
      const bodies = (row.bodies === null ? {} : JSON.parse(row.bodies)) as Record<number, string>;
      return { ...entry, bodies: bodies[index] ?? null };
    }
    return null;
  }

  *#newestFirst({ since, until }: RequestFilter, place: number, now: number): Generator<Row> {
    const from = Math.max(since ?? 0, now - requestsKeptMs);
    const last = Math.min(
      Math.floor(place / placesMax),
      until === undefined ? Number.MAX_SAFE_INTEGER : (until + lateMsMax) * rowsAMs,
    );
    for (const table of this.tablesFrom(now)) {
      yield* this.sql.exec<Row>(
        `SELECT id, entries FROM ${table} WHERE ${ofItsSpan(table)} AND id BETWEEN ? AND ? ORDER BY id DESC`,
        from * rowsAMs,
        last,
      );
    }
  }
}

/** Kinds of failures in one answer. */
const kindsMax = 200;

export type FailureGroup = Omit<FailureCount, 'keyId'>;

/** How often requests failed, by what and where. Call what writes inside a transaction. */
export class FailureCounts extends Tables {
  add(failures: readonly FailureCount[], now: number): void {
    for (const { keyId, method, route, code, status, count, lastAt, lastRequestId } of failures) {
      this.sql.exec(
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
    return this.queryAll<FailureGroup>(
      `SELECT method, route, code, status, sum(count) AS count, max(last_at) AS lastAt,
           last_request_id AS lastRequestId
         FROM failures WHERE hour BETWEEN ?1 AND ?2 AND (?3 IS NULL OR key_id = ?3)
         GROUP BY method, route, code, status ORDER BY count DESC, lastAt DESC LIMIT ?4`,
      Math.floor(Math.max(since, now - requestsKeptMs) / hourMs),
      Math.floor(until / hourMs),
      keyId,
      kindsMax,
    );
  }

  sweepDueAt(): number | null {
    const hour = this.queryValue<number>('SELECT min(hour) FROM failures');
    // A day later than they may go, so that what goes is a day's.
    return hour === null ? null : hour * hourMs + requestsKeptMs + 24 * hourMs;
  }

  sweep(now: number): void {
    this.sql.exec('DELETE FROM failures WHERE hour < ?', Math.floor((now - requestsKeptMs) / hourMs));
  }
}
