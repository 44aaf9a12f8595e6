/** A message that never left, as the account is told to take it off its count. */
export interface GiveBack {
  messageId: string;
  /** Milliseconds since 1970. */
  queuedAt: number;
}

/** Messages that failed before they left, kept until the account has taken them off its count. */
export class GiveBacks {
  readonly #sql: SqlStorage;
  /** A look has shown that there are none, and none was added since. */
  #isKnownEmpty = false;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Call inside the transaction that stores the failure. */
  add({ messageId, queuedAt }: GiveBack): void {
    this.#isKnownEmpty = false;
    this.#sql.exec(
      'INSERT OR IGNORE INTO give_backs (message_id, queued_at) VALUES (?, ?)',
      messageId,
      queuedAt,
    );
  }

  /** At most `limit` of them. */
  first(limit: number): GiveBack[] {
    if (this.#isKnownEmpty) return [];
    const rows = this.#sql
      .exec<{ message_id: string; queued_at: number }>('SELECT * FROM give_backs LIMIT ?', limit)
      .toArray();
    this.#isKnownEmpty = rows.length === 0;
    return rows.map((row) => ({ messageId: row.message_id, queuedAt: row.queued_at }));
  }

  forget(messages: readonly GiveBack[]): void {
    for (const { messageId } of messages)
      this.#sql.exec('DELETE FROM give_backs WHERE message_id = ?', messageId);
  }

  get isEmpty(): boolean {
    return this.first(1).length === 0;
  }
}
