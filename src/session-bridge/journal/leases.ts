import { reportOnlyFacts } from '../../contract/bridge/bridge-frames.ts';
import type { JournalDatabase } from './database.ts';

export interface Lease {
  numberId: string;
  epoch: number;
}

/** Kinds of facts that are reported even after the lease is over, for SQL. */
export const messageKinds = `(${reportOnlyFacts.map((kind) => `'${kind}'`).join(', ')})`;

/** The leases of this bridge. After a restart it continues with them, so that a number does not wait for a new lease. */
export class LeaseJournal {
  readonly #db: JournalDatabase;

  constructor(db: JournalDatabase) {
    this.#db = db;
  }

  held(): Lease[] {
    return this.#db.all<Lease>('SELECT number_id AS numberId, epoch FROM leases ORDER BY number_id');
  }

  /**
   * Takes a lease under an epoch. A new epoch voids what was reported about the session, but not messages: their facts are
   * sent under the new epoch. Vault entries stay valid only if no other bridge can have held the number in between, that is if
   * the epoch rose by exactly one.
   */
  grant({ numberId, epoch }: Lease): void {
    this.#db.writeDeferred();
    this.#db.transaction(() => {
      this.#db.run(
        `DELETE FROM facts WHERE number_id = ? AND epoch < ?
         AND kind NOT IN ${messageKinds} AND kind <> 'vault.put'`,
        numberId,
        epoch,
      );
      this.#db.run(
        "DELETE FROM facts WHERE number_id = ? AND epoch < ? AND kind = 'vault.put'",
        numberId,
        epoch - 1,
      );
      // Messages may have been reported meanwhile under higher numbers than these have: they need new ones.
      this.#db.run(
        "UPDATE facts SET frame = NULL WHERE number_id = ? AND kind = 'vault.put' AND epoch < ?",
        numberId,
        epoch,
      );
      this.#db.run('UPDATE facts SET epoch = ? WHERE number_id = ?', epoch, numberId);
      this.#db.run(
        'INSERT INTO leases VALUES (?, ?) ON CONFLICT (number_id) DO UPDATE SET epoch = excluded.epoch',
        numberId,
        epoch,
      );
    });
  }

  /** Gives a lease up. Sends that never left are deleted. Those that may have left stay until their outcome is known. */
  release(numberId: string): void {
    this.#db.transaction(() => {
      this.#db.run('DELETE FROM leases WHERE number_id = ?', numberId);
      this.#db.run("DELETE FROM outbound WHERE number_id = ? AND state = 'accepted'", numberId);
    });
  }

  /** Numbers whose messages still stand here though their lease is over, each with the last epoch. */
  over(): Lease[] {
    return this.#db.all<Lease>(
      `SELECT number_id AS numberId, max(epoch) AS epoch FROM facts
       WHERE kind IN ${messageKinds} AND number_id NOT IN (SELECT number_id FROM leases) GROUP BY number_id`,
    );
  }

  /**
   * Deletes reports about sessions whose lease is over, and what they wrote into their vaults. This cannot happen as soon as a
   * lease ends: the next epoch may be this bridge's again, and then it needs the keys.
   */
  dropVoid(): void {
    this.#db.run(
      `DELETE FROM facts WHERE kind NOT IN ${messageKinds}
       AND number_id NOT IN (SELECT number_id FROM leases)`,
    );
  }

  /** Forgets everything about a number that was deleted. */
  forget(numberId: string): void {
    this.#db.writeDeferred();
    this.#db.transaction(() => {
      this.release(numberId);
      this.#db.run('DELETE FROM facts WHERE number_id = ?', numberId);
      this.#db.run('DELETE FROM outbound WHERE number_id = ?', numberId);
    });
  }
}
