import type { EventName } from '../../../../contract/events.ts';
import { clockSlackMs } from '../../../due-times.ts';
import { fieldsOf, type RowOf, Tables } from '../../../storage/rows.ts';
import { type DeliveryAttempt, leaseMs } from '../delivery-order.ts';

/** A delivery that its first attempt did not end, or that is a repetition. */
export interface DeliveryRow {
  webhookId: string;
  /** The event's; 0 for a test. */
  seq: number;
  /** 1 for the first delivery of the event to this webhook. */
  n: number;
  deliveryId: string;
  eventId: string;
  event: EventName;
  status: 'pending' | 'delivered' | 'failed';
  attempts: DeliveryAttempt[];
  nextAttemptAt: number | null;
  /** Of a test; an event's stands in the log. */
  body: string | null;
}

type StoredRow = RowOf<DeliveryRow>;

const deliveryOf = (row: StoredRow): DeliveryRow => fieldsOf<DeliveryRow>(row, ['attempts']);

/** The table of deliveries. Call what writes inside a transaction. */
export class DeliveryRows extends Tables {
  /** Several deliveries, by a query's end. */
  select(where: string, ...bindings: (string | number)[]): DeliveryRow[] {
    return this.queryAll<StoredRow>(`SELECT * FROM deliveries WHERE ${where}`, ...bindings).map(deliveryOf);
  }

  find(webhookId: string, deliveryId: string): DeliveryRow | null {
    return this.select('webhook_id = ? AND delivery_id = ?', webhookId, deliveryId)[0] ?? null;
  }

  /**
   * Does nothing if there is a delivery with this id already. A repetition (`isFirst` is false) has an attempt number above 1
   * even if the first delivery has no row.
   */
  insert(row: Omit<DeliveryRow, 'n'>, isFirst: boolean): void {
    this.sql.exec(
      `INSERT INTO deliveries
         (webhook_id, seq, n, delivery_id, event_id, event, status, attempts, next_attempt_at, body)
       VALUES (?1, ?2,
         iif(?3, 1, 1 + coalesce((SELECT max(n) FROM deliveries WHERE webhook_id = ?1 AND seq = ?2), 1)),
         ?4, ?5, ?6, ?7, ?8, ?9, ?10)
       ON CONFLICT DO NOTHING`,
      row.webhookId,
      row.seq,
      isFirst ? 1 : 0,
      row.deliveryId,
      row.eventId,
      row.event,
      row.status,
      JSON.stringify(row.attempts),
      row.nextAttemptAt,
      row.body,
    );
  }

  update(row: DeliveryRow): void {
    this.sql.exec(
      `UPDATE deliveries SET status = ?, attempts = ?, next_attempt_at = ?
       WHERE webhook_id = ? AND seq = ? AND n = ?`,
      row.status,
      JSON.stringify(row.attempts),
      row.nextAttemptAt,
      row.webhookId,
      row.seq,
      row.n,
    );
  }

  /** Newest first, those with an id below `before`. */
  newestBelow(webhookId: string, before: string | null, rowsMax: number): DeliveryRow[] {
    // Above every id.
    const end = before ?? 'g';
    return this.select(
      'webhook_id = ? AND delivery_id < ? ORDER BY delivery_id DESC LIMIT ?',
      webhookId,
      end,
      rowsMax,
    );
  }

  /** What is due by `before`, the longest due first. */
  due(webhookId: string, before: number, rowsMax: number): DeliveryRow[] {
    return this.select(
      `webhook_id = ? AND next_attempt_at IS NOT NULL AND next_attempt_at <= ?
       ORDER BY next_attempt_at, seq, n LIMIT ?`,
      webhookId,
      before,
      rowsMax,
    );
  }

  earliestDue(webhookId: string): number | null {
    return this.queryValue<number>(
      'SELECT min(next_attempt_at) FROM deliveries WHERE webhook_id = ? AND next_attempt_at IS NOT NULL',
      webhookId,
    );
  }

  /**
   * Makes due what a clock that went back since has put off: what was tried, as that says, in the time to come, and what
   * waits longer for its first attempt than one lasts. A wait is never longer than it was meant to be.
   */
  endWaitsOfOtherClock(webhookId: string, now: number): void {
    this.sql.exec(
      `UPDATE deliveries SET next_attempt_at = ?2 WHERE webhook_id = ?1 AND next_attempt_at > ?2
         AND coalesce(json_extract(attempts, '$[#-1].at'), next_attempt_at - ?3) > ?2 + ?4`,
      webhookId,
      now,
      leaseMs,
      clockSlackMs,
    );
  }

  /** An attempt begins: until the lease ends nobody makes another one. */
  lease({ webhookId, seq, n }: DeliveryRow, until: number): void {
    this.sql.exec(
      'UPDATE deliveries SET next_attempt_at = ? WHERE webhook_id = ? AND seq = ? AND n = ?',
      until,
      webhookId,
      seq,
      n,
    );
  }

  /** Makes what waits for a later time due, at most `rowsMax`; how many there were. */
  bringForward(webhookId: string, now: number, rowsMax: number): number {
    return this.queryAll(
      `UPDATE deliveries SET next_attempt_at = ?2 WHERE webhook_id = ?1 AND (seq, n) IN (
           SELECT seq, n FROM deliveries WHERE webhook_id = ?1 AND next_attempt_at > ?2 LIMIT ?3) RETURNING 1`,
      webhookId,
      now,
      rowsMax,
    ).length;
  }

  /** Of these events, those whose first delivery to the webhook has a row. */
  firstsBetween(webhookId: string, from: number, to: number): number[] {
    return this.queryValues<number>(
      'SELECT seq FROM deliveries WHERE webhook_id = ? AND seq BETWEEN ? AND ? AND n = 1',
      webhookId,
      from,
      to,
    );
  }

  /** Of these events, those of which any delivery to the webhook has a row. */
  seqsBetween(webhookId: string, from: number, to: number): number[] {
    return this.queryValues<number>(
      'SELECT DISTINCT seq FROM deliveries WHERE webhook_id = ? AND seq BETWEEN ? AND ?',
      webhookId,
      from,
      to,
    );
  }

  has(webhookId: string, deliveryId: string): boolean {
    const select = 'SELECT 1 FROM deliveries WHERE webhook_id = ? AND delivery_id = ?';
    return this.queryAny(select, webhookId, deliveryId);
  }

  /** Deletes the oldest rows of events below `seq`, at most `rowsMax`; how many there were. */
  deleteBelow(webhookId: string, seq: number, rowsMax: number): number {
    return this.#deleteWhere('webhook_id = ?1 AND seq < ?2 AND seq > 0', rowsMax, webhookId, seq);
  }

  /** Deletes tests that were planned before a time, at most `rowsMax`. */
  deleteTestsBelow(webhookId: string, deliveryId: string, rowsMax: number): number {
    const where = 'webhook_id = ?1 AND seq = 0 AND delivery_id < ?2';
    return this.#deleteWhere(where, rowsMax, webhookId, deliveryId);
  }

  /** Deletes rows of a webhook, at most `rowsMax`; how many there were. */
  deleteOf(webhookId: string, rowsMax: number): number {
    return this.#deleteWhere('webhook_id = ?1', rowsMax, webhookId);
  }

  #deleteWhere(where: string, rowsMax: number, ...bindings: (string | number)[]): number {
    return this.queryAll(
      `DELETE FROM deliveries WHERE (webhook_id, seq, n) IN (
           SELECT webhook_id, seq, n FROM deliveries WHERE ${where} LIMIT ?${bindings.length + 1}) RETURNING 1`,
      ...bindings,
      rowsMax,
    ).length;
  }
}
