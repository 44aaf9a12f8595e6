import { ReadRange, type ReadRangeRow } from './read-range.ts';

type Row = {
  id: string;
  webhook_id: string;
  kind: 'first' | 'replay';
  begun_at: number;
  position: number;
  until_seq: number | null;
};

/** The table of what webhooks read. Call what writes inside a transaction. */
export class ReadRows {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** In the order in which they are to be read. */
  all(): ReadRange[] {
    return this.#sql
      .exec<Row>('SELECT * FROM webhook_reads ORDER BY position, id')
      .toArray()
      .map(
        (row) =>
          new ReadRange({
            id: row.id,
            webhookId: row.webhook_id,
            kind: row.kind,
            begunAt: row.begun_at,
            position: row.position,
            until: row.until_seq,
          }),
      );
  }

  insert({ id, webhookId, kind, begunAt, position, until }: ReadRangeRow): void {
    this.#sql.exec(
      'INSERT INTO webhook_reads (id, webhook_id, kind, begun_at, position, until_seq) VALUES (?, ?, ?, ?, ?, ?)',
      id,
      webhookId,
      kind,
      begunAt,
      position,
      until,
    );
  }

  close(id: string, until: number): void {
    this.#sql.exec('UPDATE webhook_reads SET until_seq = ? WHERE id = ?', until, id);
  }

  move(id: string, position: number): void {
    this.#sql.exec('UPDATE webhook_reads SET position = ? WHERE id = ?', position, id);
  }

  delete(id: string): void {
    this.#sql.exec('DELETE FROM webhook_reads WHERE id = ?', id);
  }

  deleteOf(webhookId: string): void {
    this.#sql.exec('DELETE FROM webhook_reads WHERE webhook_id = ?', webhookId);
  }
}
