import type { SendAnswer, SendLogSender } from './admission-types.ts';

/** How long an answer is kept. */
const keptMs = 24 * 3600 * 1000;

/** The first answer to a key, written before the message was handed to its number. */
export interface FirstAnswer {
  bodyHash: string;
  answer: SendAnswer;
  sender: SendLogSender;
}

export function dayOf(at: number): number {
  return Math.floor(at / keptMs);
}

export function startOfDay(day: number): number {
  return day * keptMs;
}

/** First answers by `Idempotency-Key`, one account's. */
export class Idempotency {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** The answer of the last 24 hours, or null. */
  find(key: string, now: number): FirstAnswer | null {
    const row = this.#sql
      .exec<{ body_hash: string; answer: string }>(
        'SELECT body_hash, answer FROM idempotency WHERE day IN (?, ?) AND key = ? AND at > ? ORDER BY at DESC LIMIT 1',
        dayOf(now),
        dayOf(now) - 1,
        key,
        now - keptMs,
      )
      .toArray()[0];
    return row ? { bodyHash: row.body_hash, ...JSON.parse(row.answer) } : null;
  }

  /** Call inside the transaction that admits the message. */
  store(key: string, { bodyHash, answer, sender }: FirstAnswer, now: number): void {
    this.#sql.exec(
      'INSERT OR REPLACE INTO idempotency (day, key, body_hash, at, answer) VALUES (?, ?, ?, ?, ?)',
      dayOf(now),
      key,
      bodyHash,
      now,
      JSON.stringify({ answer, sender }),
    );
  }

  /** The message was not accepted after all: the key is free again. */
  forget(day: number, key: string): void {
    this.#sql.exec('DELETE FROM idempotency WHERE day = ? AND key = ?', day, key);
  }

  /** When the oldest answers may go; null when there are none. */
  sweepDueAt(): number | null {
    const day = this.#sql.exec<{ day: number | null }>('SELECT min(day) AS day FROM idempotency').one().day;
    return day === null ? null : (day + 2) * keptMs;
  }

  sweep(now: number): void {
    this.#sql.exec('DELETE FROM idempotency WHERE day < ?', dayOf(now) - 1);
  }
}
