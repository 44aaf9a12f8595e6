type SenderRecord = 'pacing' | 'pace' | 'health' | 'noticed' | 'rerouteAfterMs' | 'sweptAt';

/** Small records about the number as a sender, one row each. What is stored is what the next life begins with. */
export class SenderState {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Null when it was never stored. */
  get<Value>(name: SenderRecord): Value | null {
    const row = this.#sql
      .exec<{ json: string }>('SELECT json FROM sender_state WHERE name = ?', name)
      .toArray()[0];
    return row ? (JSON.parse(row.json) as Value) : null;
  }

  put(name: SenderRecord, value: unknown): void {
    this.#sql.exec('INSERT OR REPLACE INTO sender_state VALUES (?, ?)', name, JSON.stringify(value));
  }
}
