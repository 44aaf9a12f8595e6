/** An outbound message to somebody whom the number wrote to that lately writes no row. */
const grainMs = 60_000;
/** After that long without a message a conversation counts as none. */
const conversationKeptMs = 90 * 24 * 3600 * 1000;

/** What passed between a recipient and one of the account's numbers. Milliseconds since 1970. */
export interface Conversation {
  lastAt: number;
  /** When the recipient last wrote; null: never. */
  wroteAt: number | null;
}

/** Which of the account's numbers a recipient talks with. */
export class Conversations {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Of one recipient, by number. */
  of(recipient: string): Map<string, Conversation> {
    const rows = this.#sql.exec<{ number_id: string; last_at: number; wrote_at: number | null }>(
      'SELECT number_id, last_at, wrote_at FROM conversations WHERE recipient = ?',
      recipient,
    );
    return new Map(
      [...rows].map((row) => [row.number_id, { lastAt: row.last_at, wroteAt: row.wrote_at }] as const),
    );
  }

  /** A message to the recipient was given to the number. */
  noteOutbound(recipient: string, numberId: string, at: number): void {
    this.#sql.exec(
      `INSERT INTO conversations (recipient, number_id, last_at) VALUES (?1, ?2, ?3)
         ON CONFLICT DO UPDATE SET last_at = excluded.last_at WHERE last_at < excluded.last_at - ${grainMs}`,
      recipient,
      numberId,
      at,
    );
  }

  /** The recipient wrote to the number. Repeats, and what is told late, change nothing that is newer. */
  noteInbound(recipient: string, numberId: string, at: number): void {
    this.#sql.exec(
      `INSERT INTO conversations (recipient, number_id, last_at, wrote_at) VALUES (?1, ?2, ?3, ?3)
         ON CONFLICT DO UPDATE SET last_at = max(last_at, excluded.last_at),
           wrote_at = max(coalesce(wrote_at, 0), excluded.wrote_at)
         WHERE last_at < excluded.last_at OR coalesce(wrote_at, 0) < excluded.wrote_at`,
      recipient,
      numberId,
      at,
    );
  }

  sweep(now: number): void {
    this.#sql.exec('DELETE FROM conversations WHERE last_at < ?', now - conversationKeptMs);
  }
}
