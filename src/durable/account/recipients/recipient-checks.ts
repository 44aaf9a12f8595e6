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
      // By which digits the network knows somebody stays true.
      isOver: 'at < ?1 AND address IS NULL',
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

  /** The other digits by which the network knows them; null: it knows them by these, or has not said. */
  addressOf(phoneNumber: string): string | null {
    const query = 'SELECT address FROM recipient_checks WHERE phone_number = ?';
    return this.#sql.exec<{ address: string | null }>(query, phoneNumber).toArray()[0]?.address ?? null;
  }

  /** `address`: the digits by which the network knows them, where those are others. */
  note(phoneNumber: string, onNetwork: boolean, now: number, address: string | null = null): void {
    const isOther = address !== null && address !== phoneNumber;
    this.#sql.exec(
      'INSERT OR REPLACE INTO recipient_checks (phone_number, on_network, at, address) VALUES (?, ?, ?, ?)',
      ...[phoneNumber, onNetwork ? 1 : 0, now, isOther ? address : null],
    );
    // Under their own digits nothing has to be asked of them.
    if (isOther) this.note(address, onNetwork, now);
  }

  forget(phoneNumber: string): void {
    this.#sql.exec('DELETE FROM recipient_checks WHERE phone_number = ?1 OR address = ?1', phoneNumber);
  }

  sweep(now: number): boolean {
    return this.#sweep.sweep(now);
  }
}
