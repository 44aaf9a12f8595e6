/** Small records of an object that are no rows of a table of their own, each as JSON under a name. */
export class NamedValues<Name extends string> {
  readonly #sql: SqlStorage;
  readonly #table: string;

  constructor(sql: SqlStorage, table: string) {
    this.#sql = sql;
    this.#table = table;
  }

  /** Null when it was never stored. */
  get<Value>(name: Name): Value | null {
    const query = `SELECT json FROM ${this.#table} WHERE name = ?`;
    const row = this.#sql.exec<{ json: string }>(query, name).toArray()[0];
    return row === undefined ? null : JSON.parse(row.json);
  }

  put(name: Name, value: unknown): void {
    const put = `INSERT OR REPLACE INTO ${this.#table} (name, json) VALUES (?, ?)`;
    this.#sql.exec(put, name, JSON.stringify(value));
  }

  remove(name: Name): void {
    this.#sql.exec(`DELETE FROM ${this.#table} WHERE name = ?`, name);
  }
}
