import { clockSlackMs } from '../../../due-times.ts';
import { derivedUuid } from '../../../new-ids.ts';
import { fieldsOf, type RowOf, Tables } from '../../../storage/rows.ts';
import type {
  AlertAttempt,
  AlertChannelState,
  AlertDelivery,
  AlertDeliveryAt,
  AlertNews,
  AlertReport,
  ToldAlert,
} from './alert-order.ts';

/** How long an attempt may take; after that it may be made again. */
const leaseMs = 90_000;

export const alertDeliveryTablesSql = `
  -- When its channels are to be told of it, and of its end; null: they were, or need not be.
  ALTER TABLE alerts ADD COLUMN tell_at INTEGER;
  ALTER TABLE alerts ADD COLUMN tell_end_at INTEGER;
  -- The channels that were told of it: a JSON array.
  ALTER TABLE alerts ADD COLUMN told TEXT;
  -- A message to a channel. news: 'raised', 'ended', 'digest' or 'test'. alerts: as they were then, JSON.
  CREATE TABLE alert_deliveries (
    id INTEGER PRIMARY KEY,
    delivery_id TEXT NOT NULL UNIQUE,
    channel_id TEXT NOT NULL,
    news TEXT NOT NULL,
    alerts TEXT NOT NULL,
    at INTEGER NOT NULL,
    -- 'pending', 'delivered' or 'failed'.
    status TEXT NOT NULL,
    attempts TEXT NOT NULL,
    -- While an attempt is under way, when it must be over. Null once the delivery is over.
    next_attempt_at INTEGER
  );
  CREATE INDEX alert_deliveries_due ON alert_deliveries (next_attempt_at) WHERE next_attempt_at IS NOT NULL;
  CREATE INDEX alert_deliveries_by_channel ON alert_deliveries (channel_id, id);
`;

/** Deliveries that are kept of each channel. */
const keptMax = 200;

type Row = RowOf<AlertDelivery> & { id: number };

const deliveryOf = ({ id, ...row }: Row): AlertDelivery =>
  fieldsOf<AlertDelivery>(row, ['alerts', 'attempts']);

interface NewDelivery {
  channelId: string;
  news: AlertNews;
  alerts: readonly ToldAlert[];
  at: number;
  /** Not before. */
  dueAt: number;
}

/** The messages to the channels, each with its attempts. Call what writes inside a transaction. */
export class AlertDeliveryRows extends Tables {
  /** One that was stored already, for the same news of the same alerts, stays as it is. */
  insert({ channelId, news, alerts, at, dueAt }: NewDelivery): void {
    const names = alerts.map(({ id }) => id);
    this.sql.exec(
      `INSERT INTO alert_deliveries (delivery_id, channel_id, news, alerts, at, status, attempts, next_attempt_at)
       VALUES (?, ?, ?, ?, ?, 'pending', '[]', ?) ON CONFLICT DO NOTHING`,
      ...[derivedUuid(at, channelId, news, ...names), channelId, news, JSON.stringify(alerts), at, dueAt],
    );
    this.#dropOldest(channelId);
  }

  /** A test is over when it is stored. */
  insertTest(deliveryId: string, channelId: string, { attempt, outcome }: AlertReport): void {
    this.sql.exec(
      `INSERT INTO alert_deliveries (delivery_id, channel_id, news, alerts, at, status, attempts)
       VALUES (?, ?, 'test', '[]', ?, ?, ?) ON CONFLICT DO NOTHING`,
      ...[deliveryId, channelId, attempt.at, outcome === 'delivered' ? 'delivered' : 'failed'],
      JSON.stringify([attempt]),
    );
    this.#dropOldest(channelId);
  }

  find(deliveryId: string): AlertDelivery | null {
    const select = 'SELECT * FROM alert_deliveries WHERE delivery_id = ?';
    return this.queryAll<Row>(select, deliveryId).map(deliveryOf)[0] ?? null;
  }

  due(now: number, rowsMax: number): AlertDelivery[] {
    const select = `SELECT * FROM alert_deliveries WHERE next_attempt_at <= ? ORDER BY next_attempt_at, id LIMIT ?`;
    return this.queryAll<Row>(select, now, rowsMax).map(deliveryOf);
  }

  /** Makes due what a clock that went back since has put off: what was made or tried, as that says, in the time to come. */
  endWaitsOfOtherClock(now: number): void {
    this.sql.exec(
      `UPDATE alert_deliveries SET next_attempt_at = ?1
       WHERE next_attempt_at > ?1 AND coalesce(json_extract(attempts, '$[#-1].at'), at) > ?1 + ?2`,
      now,
      clockSlackMs,
    );
  }

  get earliestDueAt(): number | null {
    const select = 'SELECT min(next_attempt_at) FROM alert_deliveries WHERE next_attempt_at IS NOT NULL';
    return this.queryValue<number>(select);
  }

  /**
   * A delivery that waits for its first attempt: alerts beyond a channel's hourly limit are added to it. Not one that is due
   * within the duration of an attempt, since it may be in progress and would not have what was added.
   */
  waiting(channelId: string, news: AlertNews, now: number): AlertDelivery | null {
    const select = `SELECT * FROM alert_deliveries
      WHERE channel_id = ? AND news = ? AND attempts = '[]' AND next_attempt_at > ? ORDER BY id DESC LIMIT 1`;
    return this.queryAll<Row>(select, channelId, news, now + leaseMs).map(deliveryOf)[0] ?? null;
  }

  setAlerts(deliveryId: string, alerts: readonly ToldAlert[]): void {
    const set = 'UPDATE alert_deliveries SET alerts = ? WHERE delivery_id = ?';
    this.sql.exec(set, JSON.stringify(alerts), deliveryId);
  }

  /** An attempt is under way. */
  lease(deliveryId: string, now: number): void {
    const set = 'UPDATE alert_deliveries SET next_attempt_at = ? WHERE delivery_id = ?';
    this.sql.exec(set, now + leaseMs, deliveryId);
  }

  /** Null: no further attempt. */
  record(deliveryId: string, attempts: readonly AlertAttempt[], isDelivered: boolean, next: number | null) {
    const status = isDelivered ? 'delivered' : next === null ? 'failed' : 'pending';
    this.sql.exec(
      'UPDATE alert_deliveries SET attempts = ?, status = ?, next_attempt_at = ? WHERE delivery_id = ?',
      ...[JSON.stringify(attempts), status, next, deliveryId],
    );
  }

  /** Newest first, those with an id below `before`. */
  page(channelId: string, rowsMax: number, before: number | null): AlertDeliveryAt[] {
    const select = `SELECT * FROM alert_deliveries WHERE channel_id = ?1 AND (?2 IS NULL OR id < ?2)
      ORDER BY id DESC LIMIT ?3`;
    return this.queryAll<Row>(select, channelId, before, rowsMax).map((row) => ({
      ...deliveryOf(row),
      position: row.id,
    }));
  }

  /** When messages to the channel were made in the last while, tests apart. */
  madeAt(channelId: string, since: number): number[] {
    const select = "SELECT at FROM alert_deliveries WHERE channel_id = ? AND news <> 'test' AND at > ?";
    return this.queryValues<number>(select, channelId, since);
  }

  stateOf(channelId: string): AlertChannelState {
    const rows = this.page(channelId, 50, null).filter(({ attempts }) => attempts.length > 0);
    const lastSuccess = rows.find(({ status }) => status === 'delivered');
    const newest = rows.map(({ attempts }) => attempts.at(-1)).sort((a, b) => (b?.at ?? 0) - (a?.at ?? 0))[0];
    return {
      channelId,
      lastDeliveryAt: lastSuccess?.attempts.at(-1)?.at ?? null,
      lastError: newest?.error ?? null,
    };
  }

  /** Of a channel that is gone. */
  remove(channelId: string): void {
    this.sql.exec('DELETE FROM alert_deliveries WHERE channel_id = ?', channelId);
  }

  channelIds(): string[] {
    return this.queryValues<string>('SELECT DISTINCT channel_id FROM alert_deliveries');
  }

  /** What is not over yet stays. */
  #dropOldest(channelId: string): void {
    this.sql.exec(
      `DELETE FROM alert_deliveries WHERE channel_id = ?1 AND next_attempt_at IS NULL AND id <=
        (SELECT id FROM alert_deliveries WHERE channel_id = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)`,
      channelId,
      keptMax,
    );
  }
}
