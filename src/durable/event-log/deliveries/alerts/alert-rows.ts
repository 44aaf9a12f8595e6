import type { AlertKind } from '../webhooks/breaker.ts';

/** What the owner of an account has to be told. */
export interface Alert {
  /** A UUIDv7, derived from what it is about. */
  id: string;
  kind: AlertKind;
  /** By kind and id: `webhook:<id>`. */
  subject: string;
  at: number;
  detail: Record<string, string | number>;
  /** When every channel had it; null before. */
  announcedAt: number | null;
}

type Row = {
  id: string;
  kind: AlertKind;
  subject: string;
  at: number;
  detail: string;
  announced_at: number | null;
};

/** Alerts of an account that are kept. */
const keptMax = 1_000;

const alertOf = ({ detail, announced_at, ...row }: Row): Alert => ({
  ...row,
  detail: JSON.parse(detail),
  announcedAt: announced_at,
});

/** The table of alerts. Call what writes inside a transaction. */
export class AlertRows {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  insert({ id, kind, subject, at, detail }: Alert): void {
    this.#sql.exec(
      'INSERT OR IGNORE INTO alerts (id, kind, subject, at, detail) VALUES (?, ?, ?, ?, ?)',
      id,
      kind,
      subject,
      at,
      JSON.stringify(detail),
    );
    this.#sql.exec(
      'DELETE FROM alerts WHERE id <= (SELECT id FROM alerts ORDER BY id DESC LIMIT 1 OFFSET ?)',
      keptMax,
    );
  }

  find(id: string): Alert | null {
    const row = this.#sql.exec<Row>('SELECT * FROM alerts WHERE id = ?', id).toArray()[0];
    return row === undefined ? null : alertOf(row);
  }

  /** Newest first, those with an id below `before`. */
  newest(limit: number, before: string | null): Alert[] {
    const select = 'SELECT * FROM alerts WHERE ?1 IS NULL OR id < ?1 ORDER BY id DESC LIMIT ?2';
    return this.#sql.exec<Row>(select, before, limit).toArray().map(alertOf);
  }

  noteAnnounced(id: string, at: number): void {
    this.#sql.exec('UPDATE alerts SET announced_at = ? WHERE id = ? AND announced_at IS NULL', at, id);
  }

  unannounced(rowsMax: number): string[] {
    return this.#sql
      .exec<{ id: string }>('SELECT id FROM alerts WHERE announced_at IS NULL ORDER BY at LIMIT ?', rowsMax)
      .toArray()
      .map(({ id }) => id);
  }

  get oldestUnannouncedAt(): number | null {
    return this.#sql
      .exec<{ at: number | null }>('SELECT min(at) AS at FROM alerts WHERE announced_at IS NULL')
      .one().at;
  }
}
