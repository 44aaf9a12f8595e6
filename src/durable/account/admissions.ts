import { dayOf, startOfDay } from './idempotency.ts';

/** How old an admission is when it is checked: any hand-over is over by then. */
const checkAfterMs = 60_000;
/** Admissions checked in one run. */
const checkMax = 500;

interface Admission {
  numberId: string;
  /** The beginning of the day (UTC) that it was counted in; milliseconds since 1970. */
  countedAt: number;
  idempotencyDay: number;
  idempotencyKey: string | null;
}

/** No message of an earlier time has a higher id: ids sort by time (milliseconds since 1970). */
export function firstMessageIdOf(at: number): string {
  return `msg_${Math.max(0, at)
    .toString(16)
    .padStart(12, '0')
    .replace(/^(.{8})/, '$1-')}`;
}

/** Sends that were counted and handed to a number, until it is certain that they arrived there. */
export class Admissions {
  readonly #sql: SqlStorage;
  #nextCheckAt: number;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#nextCheckAt = Date.now() + checkAfterMs;
  }

  /** Call inside the transaction that counts the message. */
  add(input: {
    messageId: string;
    numberId: string;
    period: string;
    idempotencyKey: string | null;
    now: number;
  }): void {
    this.#sql.exec(
      'INSERT INTO admissions (message_id, number_id, period, idempotency_day, idempotency_key) VALUES (?, ?, ?, ?, ?)',
      input.messageId,
      input.numberId,
      input.period,
      dayOf(input.now),
      input.idempotencyKey,
    );
  }

  find(messageId: string): Admission | null {
    const row = this.#sql
      .exec<{ number_id: string; idempotency_day: number; idempotency_key: string | null }>(
        'SELECT number_id, idempotency_day, idempotency_key FROM admissions WHERE message_id = ?',
        messageId,
      )
      .toArray()[0];
    return row
      ? {
          numberId: row.number_id,
          countedAt: startOfDay(row.idempotency_day),
          idempotencyDay: row.idempotency_day,
          idempotencyKey: row.idempotency_key,
        }
      : null;
  }

  /** Another number has the message now. */
  move(messageId: string, numberId: string): void {
    this.#sql.exec('UPDATE admissions SET number_id = ? WHERE message_id = ?', numberId, messageId);
  }

  forget(messageId: string): void {
    this.#sql.exec('DELETE FROM admissions WHERE message_id = ?', messageId);
  }

  /** When the next check is due; null when there is nothing to check. */
  checkDueAt(): number | null {
    const some = this.#sql.exec('SELECT 1 FROM admissions LIMIT 1').toArray();
    return some.length === 0 ? null : this.#nextCheckAt;
  }

  noteChecked(now: number): void {
    this.#nextCheckAt = now + checkAfterMs;
  }

  /** The older ones, by number. Message ids sort by time, so they are the first. */
  toCheck(now: number): Map<string, string[]> {
    const rows = this.#sql.exec<{ message_id: string; number_id: string }>(
      'SELECT message_id, number_id FROM admissions WHERE message_id < ? ORDER BY message_id LIMIT ?',
      firstMessageIdOf(now - checkAfterMs),
      checkMax,
    );
    const byNumber = new Map<string, string[]>();
    for (const row of rows) {
      byNumber.set(row.number_id, [...(byNumber.get(row.number_id) ?? []), row.message_id]);
    }
    return byNumber;
  }
}
