import { freshStreak, type Streak } from './breaker.ts';
import type { WebhookConfiguration } from './webhook-configuration.ts';

type Row = {
  webhook_id: string;
  configuration: string;
  failures: number;
  failing_since: number | null;
  circuit_open: number;
  last_delivery_at: number | null;
  proven_url: string | null;
};

export interface ReaderRow {
  configuration: WebhookConfiguration;
  streak: Streak;
  lastDeliveryAt: number | null;
  /** The URL at which it has had a 2xx. */
  provenUrl: string | null;
}

/** The table of webhooks as the log knows them. Call what writes inside a transaction. */
export class ReaderRows {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  all(): ReaderRow[] {
    return this.#sql
      .exec<Row>('SELECT * FROM webhook_readers WHERE deleted = 0')
      .toArray()
      .map((row) => ({
        configuration: JSON.parse(row.configuration),
        streak: { failures: row.failures, since: row.failing_since, isOpen: row.circuit_open === 1 },
        lastDeliveryAt: row.last_delivery_at,
        provenUrl: row.proven_url,
      }));
  }

  insert(configuration: WebhookConfiguration): ReaderRow {
    this.#sql.exec(
      'INSERT OR REPLACE INTO webhook_readers (webhook_id, configuration) VALUES (?, ?)',
      configuration.id,
      JSON.stringify(configuration),
    );
    return { configuration, streak: freshStreak, lastDeliveryAt: null, provenUrl: null };
  }

  configure(configuration: WebhookConfiguration): void {
    this.#sql.exec(
      'UPDATE webhook_readers SET configuration = ? WHERE webhook_id = ?',
      JSON.stringify(configuration),
      configuration.id,
    );
  }

  storeStreak(webhookId: string, streak: Streak, lastDeliveryAt: number | null): void {
    this.#sql.exec(
      `UPDATE webhook_readers SET failures = ?, failing_since = ?, circuit_open = ?, last_delivery_at = ?
       WHERE webhook_id = ?`,
      streak.failures,
      streak.since,
      streak.isOpen ? 1 : 0,
      lastDeliveryAt,
      webhookId,
    );
  }

  storeProvenUrl(webhookId: string, url: string): void {
    this.#sql.exec('UPDATE webhook_readers SET proven_url = ? WHERE webhook_id = ?', url, webhookId);
  }

  /** The row goes when all others of the webhook are gone. */
  markDeleted(webhookId: string): void {
    this.#sql.exec('UPDATE webhook_readers SET deleted = 1 WHERE webhook_id = ?', webhookId);
  }

  oneDeleted(): string | null {
    const select = 'SELECT webhook_id FROM webhook_readers WHERE deleted = 1 LIMIT 1';
    return this.#sql.exec<{ webhook_id: string }>(select).toArray()[0]?.webhook_id ?? null;
  }

  delete(webhookId: string): void {
    this.#sql.exec('DELETE FROM webhook_readers WHERE webhook_id = ?', webhookId);
  }
}
