import { optOutTextCharactersMax } from '../../../contract/texts/opt-out-words.ts';

export const joinedAliasesSql = `
  -- People who wrote when only their alias was known: the account is yet to hear what that was.
  CREATE TABLE joined_aliases (
    -- A new one for whatever is noted while the account is being told.
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    lid TEXT NOT NULL UNIQUE,
    phone TEXT NOT NULL
  );
`;

/** Short texts of one person that are told, the newest of them. */
const textsMax = 500;
/** People who are told of in one run. */
const toldMax = 20;

/** That somebody wrote to a number before their phone number was known. */
export interface HeardEarlier {
  numberId: string;
  /** Milliseconds since 1970. */
  at: number;
  /** Where it may be a word by which they opt out, or in again. */
  text: string | null;
}

/** Tells the account; to repeat it changes nothing. */
export type TellEarlier = (phoneNumber: string, heard: HeardEarlier[]) => Promise<void>;

/** Messages of one person to the account's numbers, not those to groups. */
const written = "peer = ? AND direction = 'inbound' AND chat_type = 'personal'";

/**
 * The account knows people by their phone numbers. What somebody wrote while only their alias was known, a word by which
 * they opt out above all, it hears when their phone number is known.
 */
export class AliasHistory {
  readonly #sql: SqlStorage;
  readonly #tell: TellEarlier;

  constructor(sql: SqlStorage, tell: TellEarlier) {
    this.#sql = sql;
    this.#tell = tell;
  }

  /** A phone number and an alias are one person. Call inside a transaction. */
  joined(phoneNumber: string, lid: string): void {
    const hasWritten =
      this.#sql.exec(`SELECT 1 FROM messages WHERE ${written} LIMIT 1`, lid).toArray().length > 0;
    if (hasWritten) this.wrote(phoneNumber, lid);
  }

  /** Somebody has written under an alias whose phone number is known. Call inside that transaction. */
  wrote(phoneNumber: string, lid: string): void {
    this.#sql.exec('INSERT OR REPLACE INTO joined_aliases (lid, phone) VALUES (?, ?)', lid, phoneNumber);
  }

  dueAt(): number | null {
    return this.#waiting(1).length === 0 ? null : 0;
  }

  async run(): Promise<void> {
    for (const { id, lid, phone } of this.#waiting(toldMax)) {
      await this.#tell(phone, this.#heard(lid));
      this.#sql.exec('DELETE FROM joined_aliases WHERE id = ?', id);
    }
  }

  /** They were erased. Call inside that transaction. */
  forget(address: string): void {
    this.#sql.exec('DELETE FROM joined_aliases WHERE lid = ?1 OR phone = ?1', address);
  }

  #waiting(limit: number): { id: number; lid: string; phone: string }[] {
    const query = 'SELECT id, lid, phone FROM joined_aliases ORDER BY id LIMIT ?';
    return this.#sql.exec<{ id: number; lid: string; phone: string }>(query, limit).toArray();
  }

  /** When they wrote last to each number, and their short texts, in the order in which they came. */
  #heard(lid: string): HeardEarlier[] {
    const last = `SELECT number_id AS numberId, max(received_at) AS at, NULL AS text FROM messages
      WHERE ${written} GROUP BY number_id`;
    const texts = `SELECT number_id AS numberId, received_at AS at, json_extract(content, '$.text') AS text
      FROM messages WHERE ${written} AND message_type = 'text'
        AND length(json_extract(content, '$.text')) <= ${optOutTextCharactersMax}
      ORDER BY id DESC LIMIT ${textsMax}`;
    const read = (query: string) =>
      this.#sql
        .exec<Record<keyof HeardEarlier, SqlStorageValue>>(query, lid)
        .toArray() as unknown as HeardEarlier[];
    return [...read(last), ...read(texts).reverse()];
  }
}
