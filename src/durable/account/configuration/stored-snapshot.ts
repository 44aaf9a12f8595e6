import type { AccountSnapshot, SenderSnapshot } from './snapshot.ts';

/** The snapshot as the object keeps it: a row for the account, one for each number. */
export class StoredSnapshot {
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  /** As it was last stored; null when nothing ever was. */
  read(): AccountSnapshot | null {
    const { sql } = this.#storage;
    const row = sql
      .exec<{ revision: number; json: string }>('SELECT revision, json FROM snapshot')
      .toArray()[0];
    if (!row) return null;
    const senders = sql
      .exec<{ json: string }>('SELECT json FROM sender_snapshots ORDER BY number_id')
      .toArray()
      .map(({ json }): SenderSnapshot => JSON.parse(json));
    return { ...JSON.parse(row.json), revision: row.revision, senders };
  }

  write({ revision, senders, ...account }: AccountSnapshot): void {
    const { sql } = this.#storage;
    this.#storage.transactionSync(() => {
      // Nearly all of it is as it was.
      sql.exec(
        `INSERT INTO snapshot (id, revision, json) VALUES (1, ?, ?)
           ON CONFLICT DO UPDATE SET revision = excluded.revision, json = excluded.json
           WHERE revision <> excluded.revision OR json <> excluded.json`,
        revision,
        JSON.stringify(account),
      );
      const ids = JSON.stringify(senders.map(({ numberId }) => numberId));
      sql.exec('DELETE FROM sender_snapshots WHERE number_id NOT IN (SELECT value FROM json_each(?))', ids);
      for (const sender of senders) {
        sql.exec(
          `INSERT INTO sender_snapshots (number_id, json) VALUES (?, ?)
             ON CONFLICT DO UPDATE SET json = excluded.json WHERE json <> excluded.json`,
          sender.numberId,
          JSON.stringify(sender),
        );
      }
    });
  }

  /** Whether a number's own filter blocks a phone number. Reads the whole list: for those too many to keep in memory. */
  isBlocked(numberId: string, phoneNumber: string): boolean {
    const found = this.#storage.sql.exec(
      `SELECT 1 FROM sender_snapshots, json_each(sender_snapshots.json, '$.filters.blockNumbers')
         WHERE number_id = ? AND value = ? LIMIT 1`,
      numberId,
      phoneNumber,
    );
    return found.toArray().length > 0;
  }
}
