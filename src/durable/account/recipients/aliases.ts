import { aliasIn } from '../../../contract/messages/recipient.ts';
import { Tables } from '../../storage/rows.ts';

/** The table of whose aliases are whose. */
export const aliasesSql = `
  -- Of people who have written: the phone number that belongs to an alias, as the account's log has told.
  CREATE TABLE aliases (lid TEXT PRIMARY KEY, phone TEXT NOT NULL) WITHOUT ROWID;
  CREATE INDEX aliases_by_phone ON aliases (phone);
`;

/** By which phone number somebody is known who writes under an alias: what the account has of them stands under that alone. */
export class Aliases extends Tables {
  /** Null: only the alias is known. */
  phoneOf(lid: string): string | null {
    return this.queryValue<string>('SELECT phone FROM aliases WHERE lid = ?', lid);
  }

  /** Under which address the account has somebody: their phone number, once that is known. */
  personOf(address: string): string {
    const lid = aliasIn(address);
    return lid === null ? address : (this.phoneOf(lid) ?? address);
  }

  note(lid: string, phoneNumber: string): void {
    this.sql.exec('INSERT OR REPLACE INTO aliases (lid, phone) VALUES (?, ?)', lid, phoneNumber);
  }

  forget(lid: string): void {
    this.sql.exec('DELETE FROM aliases WHERE lid = ?', lid);
  }

  /** Which they were. */
  forgetAllOf(phoneNumber: string): string[] {
    return this.queryValues<string>('DELETE FROM aliases WHERE phone = ? RETURNING lid', phoneNumber);
  }
}
