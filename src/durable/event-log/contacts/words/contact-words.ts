import { indexedText } from '../../../search/search-terms.ts';
import type { Contact } from '../contact.ts';

/** A mark for logs older than release 0.1.0, of which there are none. */
export const contactTermsSql = `
  -- The words of contacts up to this row are indexed as they were written.
  INSERT INTO log_state (name, json)
    SELECT 'contactTerms.formerUpTo', max(id) FROM contacts HAVING max(id) IS NOT NULL;
`;

/** The words by which contacts are found. Call each verb inside the transaction of the change. */
export class ContactWords {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  add(id: number, contact: Contact): void {
    const words = indexedText(writtenWords(contact));
    this.#sql.exec('INSERT INTO contact_words (rowid, words) VALUES (?, ?)', id, words);
  }

  replace(id: number, before: Contact, after: Contact): void {
    if (writtenWords(before) === writtenWords(after)) return;
    this.#sql.exec('DELETE FROM contact_words WHERE rowid = ?', id);
    this.add(id, after);
  }

  remove(contactId: string): void {
    const query = 'DELETE FROM contact_words WHERE rowid = (SELECT id FROM contacts WHERE contact_id = ?)';
    this.#sql.exec(query, contactId);
  }
}

/** What somebody is found by, as it was written. */
const writtenWords = ({ ownName, bookName, pushName, phoneNumber }: Contact) =>
  [ownName, bookName, pushName, phoneNumber].filter((text) => text !== null).join(' ');
