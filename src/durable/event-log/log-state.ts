import { nameOf } from '../storage/object-name.ts';

/** Small facts of a log that are no rows of a table of their own, each under a name. */
export class LogState {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  get<T>(name: string): T | null {
    const row = this.#sql
      .exec<{ json: string }>('SELECT json FROM log_state WHERE name = ?', name)
      .toArray()[0];
    return row === undefined ? null : JSON.parse(row.json);
  }

  put(name: string, value: unknown): void {
    this.#sql.exec(
      'INSERT OR REPLACE INTO log_state (name, json) VALUES (?, ?)',
      name,
      JSON.stringify(value),
    );
  }

  remove(name: string): void {
    this.#sql.exec('DELETE FROM log_state WHERE name = ?', name);
  }

  /** Whose log this is. The platform may not know an object's name when an alarm wakes it, so it is kept. */
  accountId(name: string | undefined): string {
    const known = this.get<string>('account');
    if (known === null && name !== undefined) this.put('account', name);
    return nameOf(name ?? known);
  }

  /** What cursors of this log bear: its generation, and another one since it was restored from a backup. */
  cursorGeneration(): string {
    return this.get<string>('cursorGeneration') ?? this.generation();
  }

  /** Tells this log from one that was lost and began anew: a cursor of the other one means nothing here. */
  generation(): string {
    const known = this.get<string>('generation');
    if (known !== null) return known;
    const made = crypto.randomUUID().slice(0, 8);
    this.put('generation', made);
    return made;
  }
}
