import { TableSweep } from '../../storage/table-sweep.ts';

/** How long an answer of the network is believed: people leave seldom, and who is missing may come any day. */
const presentForMs = 30 * 24 * 3600 * 1000;
const missingForMs = 24 * 3600 * 1000;

/** What the network has said about recipients. */
export class RecipientChecks {
  readonly #sql: SqlStorage;
  readonly #sweep: TableSweep;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#sweep = new TableSweep(sql, {
      table: 'recipient_checks',
      key: 'phone_number',
      isOver: 'at < ?1',
      keptMs: presentForMs,
    });
  }

  /** Whether the recipient is on the network; null when that is not known, or not any more. */
  known(phoneNumber: string, now: number): boolean | null {
    const row = this.#sql
      .exec<{ on_network: number; at: number }>(
        'SELECT on_network, at FROM recipient_checks WHERE phone_number = ?',
        phoneNumber,
      )
      .toArray()[0];
    if (!row) return null;
    const onNetwork = row.on_network === 1;
    return now - row.at < (onNetwork ? presentForMs : missingForMs) ? onNetwork : null;
  }

  note(phoneNumber: string, onNetwork: boolean, now: number): void {
    this.#sql.exec(
      'INSERT OR REPLACE INTO recipient_checks (phone_number, on_network, at) VALUES (?, ?, ?)',
      phoneNumber,
      onNetwork ? 1 : 0,
      now,
    );
  }

  forget(phoneNumber: string): void {
    this.#sql.exec('DELETE FROM recipient_checks WHERE phone_number = ?', phoneNumber);
  }

  sweep(now: number): boolean {
    return this.#sweep.sweep(now);
  }
}
