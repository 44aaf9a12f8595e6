import type { ContactAttributes } from '../../../contract/contact.ts';
import type { Person } from '../../../contract/group.ts';

/** Somebody whom the account knows. Times are milliseconds since 1970. */
export interface Contact {
  contactId: string;
  phoneNumber: string | null;
  lid: string | null;
  /** As the account calls them; null: as the address book does. */
  ownName: string | null;
  /** As the address book of a phone has it. */
  bookName: string | null;
  /** As they call themselves. */
  pushName: string | null;
  labels: string[];
  attributes: ContactAttributes;
  firstSeenAt: number;
}

type Row = {
  id: number;
  contact_id: string;
  phone: string | null;
  lid: string | null;
  own_name: string | null;
  book_name: string | null;
  push_name: string | null;
  labels: string;
  attributes: string;
  first_seen_at: number;
};

export interface ContactFilter {
  /** Words, each the beginning of one in a name, or of the phone number. */
  q?: string | undefined;
  label?: string | undefined;
}

/** The contacts of an account, a row each; their words and labels beside them, for those who search. */
export class ContactRows {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  find(contactId: string): Contact | null {
    return this.#one('contact_id = ?', contactId);
  }

  /** Those whom an address means: two where it is not known yet that they are one. */
  of({ phoneNumber, lid }: Person): { byPhone: Contact | null; byLid: Contact | null } {
    return {
      byPhone: phoneNumber === undefined ? null : this.#one('phone = ?', phoneNumber),
      byLid: lid === undefined ? null : this.#one('lid = ?', lid),
    };
  }

  /** Newest first, below `before`; one more than `limit` where there are more. */
  page({ q, label }: ContactFilter, limit: number, before: string | null): Contact[] {
    const match = q === undefined ? null : matchOf(q);
    if (match === '') return [];
    const conditions = [
      'contact_id < ?',
      ...(match === null ? [] : ['id IN (SELECT rowid FROM contact_words WHERE contact_words MATCH ?)']),
      ...(label === undefined
        ? []
        : ['contact_id IN (SELECT contact_id FROM contact_labels WHERE label = ?)']),
    ];
    const values = [
      before ?? '\uffff',
      ...(match === null ? [] : [match]),
      ...(label === undefined ? [] : [label]),
    ];
    return this.#sql
      .exec<Row>(
        `SELECT * FROM contacts WHERE ${conditions.join(' AND ')} ORDER BY contact_id DESC LIMIT ?`,
        ...values,
        limit + 1,
      )
      .toArray()
      .map(contactOf);
  }

  /** Stores a contact as it is now. Call inside a transaction. */
  put(contact: Contact): void {
    const { contactId, phoneNumber, lid, ownName, bookName, pushName, labels, attributes, firstSeenAt } =
      contact;
    const before = this.find(contactId);
    this.#sql.exec(
      `INSERT INTO contacts (contact_id, phone, lid, own_name, book_name, push_name, labels, attributes, first_seen_at)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
       ON CONFLICT (contact_id) DO UPDATE SET phone = ?2, lid = ?3, own_name = ?4, book_name = ?5, push_name = ?6,
         labels = ?7, attributes = ?8`,
      contactId,
      phoneNumber,
      lid,
      ownName,
      bookName,
      pushName,
      JSON.stringify(labels),
      JSON.stringify(attributes),
      firstSeenAt,
    );
    this.#putLabels(contactId, before?.labels ?? [], labels);
    if (before === null || wordsOf(before) !== wordsOf(contact)) this.#putWords(contact);
  }

  remove(contactId: string): void {
    const id = this.#idOf(contactId);
    if (id === null) return;
    this.#sql.exec('DELETE FROM contact_words WHERE rowid = ?', id);
    this.#putLabels(contactId, this.find(contactId)?.labels ?? [], []);
    this.#sql.exec('DELETE FROM contacts WHERE id = ?', id);
  }

  #putLabels(contactId: string, before: readonly string[], after: readonly string[]): void {
    for (const label of before) {
      if (after.includes(label)) continue;
      this.#sql.exec('DELETE FROM contact_labels WHERE label = ? AND contact_id = ?', label, contactId);
    }
    for (const label of after) {
      if (before.includes(label)) continue;
      this.#sql.exec(
        'INSERT OR IGNORE INTO contact_labels (label, contact_id) VALUES (?, ?)',
        label,
        contactId,
      );
    }
  }

  #putWords(contact: Contact): void {
    const id = this.#idOf(contact.contactId);
    this.#sql.exec('DELETE FROM contact_words WHERE rowid = ?', id);
    this.#sql.exec('INSERT INTO contact_words (rowid, words) VALUES (?, ?)', id, wordsOf(contact));
  }

  #idOf(contactId: string): number | null {
    const query = 'SELECT id FROM contacts WHERE contact_id = ?';
    return this.#sql.exec<{ id: number }>(query, contactId).toArray()[0]?.id ?? null;
  }

  #one(condition: string, value: string): Contact | null {
    const row = this.#sql.exec<Row>(`SELECT * FROM contacts WHERE ${condition}`, value).toArray()[0];
    return row === undefined ? null : contactOf(row);
  }
}

const wordsOf = ({ ownName, bookName, pushName, phoneNumber }: Contact) =>
  [ownName, bookName, pushName, phoneNumber].filter((text) => text !== null).join(' ');

/** Each word as a prefix; empty where there is none to look for. */
const matchOf = (q: string) =>
  q
    .split(/\s+/)
    .map((word) => word.replaceAll(/[^\p{L}\p{N}]/gu, ' ').trim())
    .filter((word) => word !== '')
    .map((word) => `"${word}"*`)
    .join(' ');

function contactOf(row: Row): Contact {
  return {
    contactId: row.contact_id,
    phoneNumber: row.phone,
    lid: row.lid,
    ownName: row.own_name,
    bookName: row.book_name,
    pushName: row.push_name,
    labels: JSON.parse(row.labels),
    attributes: JSON.parse(row.attributes),
    firstSeenAt: row.first_seen_at,
  };
}
