import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import type { Person } from '../../../contract/numbers/group.ts';
import { indexedText } from '../../search-terms.ts';
import { Tables, upsertRow } from '../../storage/rows.ts';
import { LabelSpellings } from '../labels/label-spellings.ts';
import { type Contact, type ContactRow, contactOf, contactRow, mergedContact } from './contact.ts';
import { ImportedContacts } from './imports/import-rows.ts';
import { JoinedContacts } from './joined-contacts.ts';

/** A mark for logs older than release 0.1.0, of which there are none. */
export const contactTermsSql = `
  -- The words of contacts up to this row are indexed as they were written.
  INSERT INTO log_state (name, json)
    SELECT 'contactTerms.formerUpTo', max(id) FROM contacts HAVING max(id) IS NOT NULL;
`;

/** The words by which contacts are found. Call each verb inside the transaction of the change. */
class ContactWords extends Tables {
  add(id: number, contact: Contact): void {
    const words = indexedText(writtenWords(contact));
    this.sql.exec('INSERT INTO contact_words (rowid, words) VALUES (?, ?)', id, words);
  }

  replace(id: number, before: Contact, after: Contact): void {
    if (writtenWords(before) === writtenWords(after)) return;
    this.sql.exec('DELETE FROM contact_words WHERE rowid = ?', id);
    this.add(id, after);
  }

  remove(contactId: string): void {
    const query = 'DELETE FROM contact_words WHERE rowid = (SELECT id FROM contacts WHERE contact_id = ?)';
    this.sql.exec(query, contactId);
  }
}

/** What somebody is found by, as it was written. */
const writtenWords = ({ ownName, bookName, pushName, phoneNumber }: Contact) =>
  [ownName, bookName, pushName, phoneNumber].filter((text) => text !== null).join(' ');

const dialledOf = 'phone = (SELECT phone FROM dialled_numbers WHERE dialled = ?)';

/** The contacts of an account, a row each; their words and labels beside them, for those who search. */
export class ContactRows extends Tables {
  readonly #imported: ImportedContacts;
  readonly #joined: JoinedContacts;
  readonly #words: ContactWords;
  readonly spellings: LabelSpellings;

  constructor(sql: SqlStorage) {
    super(sql);
    this.#imported = new ImportedContacts(sql);
    this.#joined = new JoinedContacts(sql);
    this.#words = new ContactWords(sql);
    this.spellings = new LabelSpellings(sql, 'contact_labels');
  }

  /** Also by the id of a contact that became a part of this one. */
  find(contactId: string): Contact | null {
    const query = 'contact_id = ?';
    return this.#one(query, contactId) ?? this.#one(query, this.#joined.standing(contactId));
  }

  /** All ids that mean this contact, its own first. */
  idsOf(contactId: string): string[] {
    return this.#joined.idsOf(contactId);
  }

  /** By the digits that the network has, or by those that somebody dialled. */
  byPhone(phoneNumber: string): Contact | null {
    return this.#one('phone = ?', phoneNumber) ?? this.#one(dialledOf, phoneNumber);
  }

  /** The digits that the network has for whoever was dialled by these. */
  addressOf(phoneNumber: string): string {
    const query = 'SELECT phone FROM dialled_numbers WHERE dialled = ?';
    return this.queryValue<string>(query, phoneNumber) ?? phoneNumber;
  }

  /** All digits by which the network or whoever dialled has named them, those of the network first. */
  digitsOf({ phoneNumber, lid }: { phoneNumber: string | null; lid: string | null }): string[] {
    const query = 'SELECT dialled FROM dialled_numbers WHERE phone = ?';
    const dialled = phoneNumber === null ? [] : this.queryValues<string>(query, phoneNumber);
    return [phoneNumber, lid, ...dialled].filter((digits) => digits !== null);
  }

  /**
   * The network knows the person by other digits than somebody dialled, or than before: both are one contact, with the network's
   * digits. False: that is known already. Call inside a transaction.
   */
  renumber(dialled: string, phoneNumber: string): boolean {
    const isNew = this.queryAny(
      `INSERT INTO dialled_numbers (dialled, phone) VALUES (?, ?)
           ON CONFLICT DO UPDATE SET phone = excluded.phone WHERE phone <> excluded.phone RETURNING 1`,
      ...[dialled, phoneNumber],
    );
    if (!isNew) return false;
    // The network's own digits lead to nobody else, and whatever led to the former ones leads to them.
    this.freeDialled(phoneNumber);
    this.sql.exec('UPDATE dialled_numbers SET phone = ?2 WHERE phone = ?1', dialled, phoneNumber);
    const [kept, other] = [this.#one('phone = ?', phoneNumber), this.#one('phone = ?', dialled)];
    if (other === null) return true;
    if (kept === null) {
      this.put({ ...other, phoneNumber }, other);
      return true;
    }
    this.join(kept, other, mergedContact(kept, other));
    return true;
  }

  /** These digits lead to whoever has them, and no more to somebody else. Call inside a transaction. */
  freeDialled(phoneNumber: string): void {
    this.sql.exec('DELETE FROM dialled_numbers WHERE dialled = ?', phoneNumber);
  }

  /** They were erased. Call inside that transaction. */
  forgetDialled(phoneNumber: string): void {
    this.sql.exec('DELETE FROM dialled_numbers WHERE dialled = ?1 OR phone = ?1', phoneNumber);
  }

  /**
   * Those of these digits by which somebody is known, as a contact or by a message from them: digits of a phone number as they
   * are, and those of an alias as `<digits>@lid`.
   */
  knownAddresses(addresses: readonly string[]): string[] {
    return this.queryValues<string>(
      `SELECT CASE
           WHEN EXISTS (SELECT 1 FROM contacts WHERE phone = asked.value) THEN asked.value
           WHEN EXISTS (SELECT 1 FROM contacts WHERE lid = asked.value)
             OR EXISTS (SELECT 1 FROM messages WHERE peer = asked.value AND peer_lid = asked.value)
             THEN asked.value || '@lid'
           WHEN EXISTS (SELECT 1 FROM messages WHERE peer = asked.value AND direction = 'inbound') THEN asked.value
         END AS address FROM json_each(?) AS asked WHERE address IS NOT NULL`,
      JSON.stringify(addresses),
    );
  }

  /** Whom these addresses of a person mean. */
  at({ phoneNumber, lid }: { phoneNumber: string | null; lid: string | null }): Contact | null {
    const byPhone = phoneNumber === null ? null : this.byPhone(phoneNumber);
    return byPhone ?? (lid === null ? null : this.#one('lid = ?', lid));
  }

  /** Those whom an address means: two where it is not known yet that they are one. */
  of({ phoneNumber, lid }: Person): { byPhone: Contact | null; byLid: Contact | null } {
    return {
      byPhone: phoneNumber === undefined ? null : this.byPhone(phoneNumber),
      byLid: lid === undefined ? null : this.#one('lid = ?', lid),
    };
  }

  /** Stores a contact as it is now; `before`: as it is stored, null for a new one. Call inside a transaction. */
  put(contact: Contact, before: Contact | null): void {
    const { contactId, phoneNumber } = contact;
    const known = before?.phoneNumber === phoneNumber ? before.country : null;
    const country = known ?? countryOf(phoneNumber);
    const id = upsertRow(this.sql, 'contacts', 'contact_id', contactRow({ ...contact, country }));
    this.#putLabels(contactId, before?.labels ?? [], contact.labels);
    if (before === null) this.#words.add(id, contact);
    else this.#words.replace(id, before, contact);
  }

  /** `other` becomes a part of `kept`, which is `joined` from then on. Call inside a transaction. */
  join(kept: Contact, other: Contact, joined: Contact): void {
    this.#delete(other);
    this.#joined.add(other.contactId, kept.contactId);
    this.put(joined, kept);
  }

  /** A contact that was a part of another one stands by itself again. Call inside a transaction. */
  part(contact: Contact): void {
    this.#joined.part(contact.contactId);
    this.put(contact, null);
  }

  /** With all ids that mean it. */
  remove(contact: Contact): void {
    const { contactId } = contact;
    for (const id of this.idsOf(contactId)) this.#imported.forget(id);
    this.#joined.forget(contactId);
    this.#delete(contact);
  }

  #delete({ contactId, labels }: Contact): void {
    this.#words.remove(contactId);
    this.#putLabels(contactId, labels, []);
    this.sql.exec('DELETE FROM contacts WHERE contact_id = ?', contactId);
  }

  #putLabels(contactId: string, before: readonly string[], after: readonly string[]): void {
    for (const label of before) {
      if (after.includes(label)) continue;
      this.sql.exec('DELETE FROM contact_labels WHERE label = ? AND contact_id = ?', label, contactId);
    }
    for (const label of after) {
      if (before.includes(label)) continue;
      this.sql.exec(
        'INSERT OR IGNORE INTO contact_labels (label, contact_id) VALUES (?, ?)',
        label,
        contactId,
      );
    }
  }

  #one(condition: string, value: string): Contact | null {
    return (
      this.queryAll<ContactRow>(`SELECT * FROM contacts WHERE ${condition}`, value).map(contactOf)[0] ?? null
    );
  }
}

/** Two letters (ISO 3166); null: the number tells none, as those of satellites. */
function countryOf(phoneNumber: string | null): string | null {
  if (phoneNumber === null) return null;
  return parsePhoneNumberFromString(`+${phoneNumber}`)?.country ?? null;
}
