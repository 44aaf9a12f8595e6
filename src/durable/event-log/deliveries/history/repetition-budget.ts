import { type Refusal, refuse } from '../../../../contract/errors.ts';
import { dayMs, utcDay } from '../../../../contract/times.ts';

/** How many deliveries the account may have sent again a day (UTC), and how many of them it has. */
export class RepetitionBudget {
  readonly #sql: SqlStorage;
  readonly #most: number;

  constructor(sql: SqlStorage, most: number) {
    this.#sql = sql;
    this.#most = most;
  }

  left(now: number): number {
    const query = 'SELECT used FROM repetitions WHERE day = ?';
    const used = this.#sql.exec<{ used: number }>(query, utcDay(now)).toArray()[0]?.used ?? 0;
    return Math.max(0, this.#most - used);
  }

  /** Call inside the transaction that plans them. */
  use(deliveries: number, now: number): void {
    this.#sql.exec('DELETE FROM repetitions WHERE day <> ?', utcDay(now));
    this.#sql.exec(
      'INSERT INTO repetitions (day, used) VALUES (?, ?) ON CONFLICT DO UPDATE SET used = used + excluded.used',
      utcDay(now),
      deliveries,
    );
  }

  /** So many cannot be sent again today. */
  refusal(now: number): Refusal {
    const left = this.left(now);
    const message = `An account can have ${this.#most} deliveries sent again a day (UTC): ${left} are left today.`;
    const retryAfterSeconds = Math.ceil((dayMs - (now % dayMs)) / 1000);
    return refuse('RATE_LIMITED', message, { retryAfterSeconds, details: [{ limit: this.#most, left }] });
  }
}
