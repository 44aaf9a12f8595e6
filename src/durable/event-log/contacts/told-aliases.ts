import type { KnownAlias } from '../../hand-over/number-news.ts';
import { Tables } from '../../storage/rows.ts';
import type { ContactRows } from './contact-rows.ts';

export const joinedAliasesSql = `
  -- People who wrote when only their alias was known: the account is yet to hear what that was.
  CREATE TABLE joined_aliases (
    -- A new one for whatever is noted while the account is being told.
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    lid TEXT NOT NULL UNIQUE,
    phone TEXT NOT NULL
  );
`;

export const toldAliasesSql = `
  -- Whose aliases the account knows: told is 1 from then on. phone: empty where the alias is nobody's any more.
  ALTER TABLE joined_aliases ADD COLUMN told INTEGER;
  CREATE INDEX joined_aliases_untold ON joined_aliases (id) WHERE told IS NULL;
`;

/** By whom, for whoever is erased. */
export const joinedAliasesByPhoneSql = 'CREATE INDEX joined_aliases_by_phone ON joined_aliases (phone);';

/** People who are told of in one call. */
const toldMax = 20;

/** Tells the account; to repeat it changes nothing. */
type TellAliases = (known: readonly KnownAlias[]) => Promise<void>;

/**
 * The account knows people by the address under which they write. For those who have written, or were a contact while only
 * their alias was known, it is told once which phone number the alias belongs to.
 */
export class ToldAliases extends Tables {
  readonly #rows: ContactRows;
  readonly #tell: TellAliases;

  constructor(sql: SqlStorage, rows: ContactRows, tell: TellAliases) {
    super(sql);
    this.#rows = rows;
    this.#tell = tell;
  }

  /** A phone number and an alias are one person; `mayMatter`: the account may know them. Call inside a transaction. */
  joined(phoneNumber: string, lid: string, mayMatter: boolean): void {
    if (mayMatter || this.#mayHaveWritten(lid)) this.wrote(phoneNumber, lid);
  }

  /** Somebody has written under an alias whose phone number is known. Call inside that transaction. */
  wrote(phoneNumber: string, lid: string): void {
    this.sql.exec(
      `INSERT INTO joined_aliases (lid, phone) VALUES (?, ?)
         ON CONFLICT (lid) DO UPDATE SET phone = excluded.phone, told = NULL WHERE phone <> excluded.phone`,
      lid,
      phoneNumber,
    );
  }

  /** Whoever has the alias has not that phone number. Call inside a transaction. */
  parted(lid: string): void {
    this.sql.exec("UPDATE joined_aliases SET phone = '', told = NULL WHERE lid = ? AND phone <> ''", lid);
  }

  dueAt(): number | null {
    return this.#waiting(1).length === 0 ? null : 0;
  }

  async run(): Promise<void> {
    for (let some = this.#waiting(toldMax); some.length > 0; some = this.#waiting(toldMax)) {
      await this.#tell(some.map((one) => this.#known(one)));
      for (const { id, phone } of some) {
        // It may have changed meanwhile.
        this.sql.exec('UPDATE joined_aliases SET told = 1 WHERE id = ? AND phone = ?', id, phone);
      }
    }
  }

  /** They were erased. Call inside that transaction. */
  forget(address: string): void {
    this.sql.exec('DELETE FROM joined_aliases WHERE lid = ?1 OR phone = ?1', address);
  }

  #known({ lid, phone }: { lid: string; phone: string }): KnownAlias {
    if (phone === '') return { lid, phoneNumber: null };
    const [, ...otherDigits] = this.#rows.digitsOf({ phoneNumber: phone, lid: null });
    return { lid, phoneNumber: phone, ...(otherDigits.length > 0 && { otherDigits }) };
  }

  #waiting(limit: number): { id: number; lid: string; phone: string }[] {
    const query = 'SELECT id, lid, phone FROM joined_aliases WHERE told IS NULL ORDER BY id LIMIT ?';
    return this.queryAll<{ id: number; lid: string; phone: string }>(query, limit);
  }

  /** Once somebody was erased, that may have been them: an opt-out of theirs stands under the alias. */
  #mayHaveWritten(lid: string): boolean {
    const query = `SELECT 1 WHERE EXISTS (SELECT 1 FROM contact_erasures)
      OR EXISTS (SELECT 1 FROM messages WHERE peer = ? AND direction = 'inbound' AND chat_type = 'personal')`;
    return this.queryAny(query, lid);
  }
}
