import { TableRing, type TableRingShape } from '../../storage/table-ring.ts';

/** How long an answer is kept. */
const keptMs = 24 * 3600 * 1000;

/** A day (UTC) a table: the answers of the last 24 hours are in two of them. */
export const idempotencyRing: TableRingShape = {
  name: 'idempotency',
  columns:
    'key TEXT NOT NULL, body_hash TEXT NOT NULL, at INTEGER NOT NULL, answer TEXT NOT NULL, PRIMARY KEY (span, key)',
  spanMs: keptMs,
};

/** The first answer to a key. */
interface FirstAnswer<Answer> {
  bodyHash: string;
  answer: Answer;
}

/** Keys of whole batches are other keys than those of sends. No key of a send holds a line break. */
export const batchKeyOf = (key: string): string => `batch\n${key}`;

/** First answers by `Idempotency-Key`, one account's. */
export class Idempotency extends TableRing {
  constructor(sql: SqlStorage) {
    super(sql, idempotencyRing);
  }

  /** The answer of the last 24 hours, or null. */
  find<Answer>(key: string, now: number): FirstAnswer<Answer> | null {
    for (const table of this.tablesFrom(now)) {
      const row = this.queryFirst<{ body_hash: string; answer: string }>(
        `SELECT body_hash, answer FROM ${table} WHERE span IN (?1, ?1 - 1, ?1 + 1) AND key = ?2 AND at > ?3
             ORDER BY at DESC LIMIT 1`,
        this.spanOf(now),
        key,
        now - keptMs,
      );
      if (row) return { bodyHash: row.body_hash, answer: JSON.parse(row.answer) };
    }
    return null;
  }

  /** Call inside the transaction that accepts what is answered. */
  store(key: string, bodyHash: string, answer: unknown, now: number): void {
    this.sql.exec(
      `INSERT OR REPLACE INTO ${this.tableFor(now)} (span, key, body_hash, at, answer) VALUES (?, ?, ?, ?, ?)`,
      this.spanOf(now),
      key,
      bodyHash,
      now,
      JSON.stringify(answer),
    );
  }
}
