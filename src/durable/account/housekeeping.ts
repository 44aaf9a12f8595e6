import { firstMessageIdOf } from './admissions.ts';

const everyMs = 24 * 3600 * 1000;
/** What is kept of a message outlives it by far: it waits for its turn a day at most. */
const messagesKeptMs = 62 * 24 * 3600 * 1000;

/** Something that forgets what is too old. */
interface Keeper {
  sweep(now: number): void;
}

/** Once a day, what is too old goes: only in an account that has something to forget. */
export class Housekeeping {
  readonly #sql: SqlStorage;
  readonly #keepers: readonly Keeper[];
  #sweptAt: number | null;

  constructor(sql: SqlStorage, keepers: readonly Keeper[]) {
    this.#sql = sql;
    this.#keepers = keepers;
    const row = sql.exec<{ swept_at: number }>('SELECT swept_at FROM housekeeping').toArray()[0];
    this.#sweptAt = row?.swept_at ?? null;
  }

  /** There is something to forget some day. Call inside the transaction that stores it. */
  begin(now: number): void {
    if (this.#sweptAt === null) this.#note(now);
  }

  dueAt(): number | null {
    return this.#sweptAt === null ? null : this.#sweptAt + everyMs;
  }

  sweep(now: number): void {
    for (const keeper of this.#keepers) keeper.sweep(now);
    const oldest = firstMessageIdOf(now - messagesKeptMs);
    this.#sql.exec('DELETE FROM given_back WHERE message_id < ?', oldest);
    this.#sql.exec('DELETE FROM moves WHERE message_id < ?', oldest);
    this.#note(now);
  }

  #note(now: number): void {
    this.#sql.exec('INSERT OR REPLACE INTO housekeeping (id, swept_at) VALUES (1, ?)', now);
    this.#sweptAt = now;
  }
}
