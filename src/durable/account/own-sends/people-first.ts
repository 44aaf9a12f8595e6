import { refuse } from '../../../contract/errors.ts';
import { TableSweep } from '../../storage/table-sweep.ts';

const keptMs = 24 * 3_600_000;

export const personCameFirst = refuse('CONFLICT', 'A person has written to them meanwhile.');

/** To whom people of the account have written last: what a machine was about to say to them is then not said. */
export class PeopleFirst {
  readonly #sql: SqlStorage;
  readonly #sweep: TableSweep;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#sweep = new TableSweep(sql, { table: 'person_sends', key: 'recipient', isOver: 'at < ?1', keptMs });
  }

  /** A person's message is accepted. Call inside the transaction that stores it. */
  note(recipient: string, numberId: string, at: number): void {
    this.#sql.exec(
      'INSERT INTO person_sends VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET at = max(at, excluded.at)',
      ...[recipient, numberId, at],
    );
  }

  /** Whether a person has written to them from this number since then. */
  hasSince(recipient: string, numberId: string, since: number): boolean {
    const query = 'SELECT 1 FROM person_sends WHERE recipient = ? AND number_id = ? AND at >= ?';
    return this.#sql.exec(query, recipient, numberId, since).toArray().length > 0;
  }

  sweep(now: number): boolean {
    return this.#sweep.sweep(now);
  }
}
