type RecordName =
  | 'pacing'
  | 'pacingRevision'
  | 'pace'
  | 'health'
  | 'session'
  | 'sessionRevision'
  | 'queryHolds'
  | 'groups'
  | 'groupsAskedAt'
  | 'heldDeletions'
  | 'batches'
  | 'outlook'
  | 'rerouteAfterMs'
  | 'sweptAt'
  | 'revokedBridges';

/** Small records about the number, one row each. What is stored is what the next life begins with. */
export class NumberState {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Null when it was never stored. */
  get<Value>(name: RecordName): Value | null {
    const row = this.#sql
      .exec<{ json: string }>('SELECT json FROM number_state WHERE name = ?', name)
      .toArray()[0];
    return row ? (JSON.parse(row.json) as Value) : null;
  }

  put(name: RecordName, value: unknown): void {
    this.#sql.exec('INSERT OR REPLACE INTO number_state VALUES (?, ?)', name, JSON.stringify(value));
  }
}
