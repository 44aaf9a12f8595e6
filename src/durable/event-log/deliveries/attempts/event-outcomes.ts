import { utcDay } from '../../../../contract/times.ts';
import { Tables } from '../../../storage/rows.ts';
import type { StoredEvent } from '../../events/event-rows.ts';
import type { DeliveryAttempt } from '../delivery-order.ts';

/** The first attempt at an event's delivery to one webhook, which the receiver took. */
export interface EventOutcome extends Omit<DeliveryAttempt, 'error'> {
  webhookId: string;
  seq: number;
}

/** Of one row, which holds 2 MB. */
const outcomesMax = 20;
/** Events between the first outcome of a row and its last one, at most. */
const spanMax = 200;
const prefix = 'outcomes_';

/**
 * Deliveries that receivers accepted at the first attempt. Outcomes that arrive together are one row, under the last of their
 * events. Each day of events (UTC) has a table, which is dropped as a whole when all events of its day are gone: that writes
 * no row. The list of tables is read each time, so it is right after a rollback too.
 */
export class EventOutcomes extends Tables {
  /** Call inside a transaction. */
  add(taken: readonly { event: StoredEvent; outcome: EventOutcome }[]): void {
    const days = Map.groupBy(taken, ({ event }) => tableOf(Date.parse(event.envelope.timestamp)));
    for (const [table, ofDay] of days) {
      this.sql.exec(
        `CREATE TABLE IF NOT EXISTS ${table} (last_seq INTEGER PRIMARY KEY, outcomes TEXT NOT NULL)`,
      );
      for (const row of rowsOf(ofDay.map(({ outcome }) => outcome)))
        this.sql.exec(
          `INSERT INTO ${table} (last_seq, outcomes) VALUES (?, ?) ON CONFLICT DO UPDATE
           SET outcomes = substr(outcomes, 1, length(outcomes) - 1) || ',' || substr(excluded.outcomes, 2)`,
          ...[row.at(-1)?.seq ?? 0, JSON.stringify(row)],
        );
    }
  }

  /** Of the events from one to another, in their order. */
  between(from: number, to: number): EventOutcome[] {
    const rows = this.#tables().flatMap((table) =>
      this.queryValues<string>(
        `SELECT outcomes FROM ${table} WHERE last_seq BETWEEN ? AND ?`,
        ...[from, to + spanMax],
      ),
    );
    return [...this.#former(from, to), ...rows]
      .flatMap((outcomes): EventOutcome[] => JSON.parse(outcomes))
      .filter(({ seq }) => seq >= from && seq <= to)
      .sort((a, b) => a.seq - b.seq);
  }

  /** Drops the tables of days before this time. A table that an unfinished statement still reads is dropped next time. */
  dropBefore(at: number): void {
    const over = this.#tables().filter((table) => table < tableOf(at));
    try {
      for (const table of over) this.sql.exec(`DROP TABLE ${table}`);
    } catch (error) {
      if (!String(error).includes('locked')) throw error;
    }
  }

  /** Up to release 0.1 they stood in the rows of the events, and go to the archive with these. */
  #former(from: number, to: number): string[] {
    return this.queryValues<string>(
      `SELECT outcomes FROM events
         WHERE first_seq BETWEEN coalesce((SELECT max(first_seq) FROM events WHERE first_seq <= ?1), ?1) AND ?2
           AND outcomes IS NOT NULL`,
      ...[from, to],
    );
  }

  #tables(): string[] {
    return this.queryValues<string>(
      `SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB '${prefix}????????'`,
    );
  }
}

const tableOf = (at: number): string => prefix + utcDay(at).replaceAll('-', '');

function rowsOf(outcomes: readonly EventOutcome[]): EventOutcome[][] {
  const rows: EventOutcome[][] = [];
  for (const outcome of [...outcomes].sort((a, b) => a.seq - b.seq)) {
    const row = rows.at(-1);
    if (row?.[0] && row.length < outcomesMax && outcome.seq - row[0].seq <= spanMax) row.push(outcome);
    else rows.push([outcome]);
  }
  return rows;
}
