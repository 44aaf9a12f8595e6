import { Tables } from './rows.ts';

/** Small records of an object that are no rows of a table of their own, each as JSON under a name. */
export class NamedValues<Name extends string> extends Tables {
  readonly #table: string;

  constructor(sql: SqlStorage, table: string) {
    super(sql);
    this.#table = table;
  }

  /** Null when it was never stored. */
  get<Value>(name: Name): Value | null {
    return this.queryJson<Value>(`SELECT json FROM ${this.#table} WHERE name = ?`, name);
  }

  put(name: Name, value: unknown): void {
    const put = `INSERT OR REPLACE INTO ${this.#table} (name, json) VALUES (?, ?)`;
    this.sql.exec(put, name, JSON.stringify(value));
  }

  remove(name: Name): void {
    this.sql.exec(`DELETE FROM ${this.#table} WHERE name = ?`, name);
  }
}
