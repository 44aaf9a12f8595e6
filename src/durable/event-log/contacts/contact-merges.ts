import { type Refusal, refuse } from '../../../contract/errors.ts';
import { newUuid } from '../../new-ids.ts';
import type { EventDraft } from '../events/event-draft.ts';
import { type Contact, mergedContact } from './contact.ts';
import { without } from './contact-parting.ts';
import type { ContactRows } from './contact-rows.ts';
import { type Contacts, updatedEvent } from './contacts.ts';
import type { ImportedContacts } from './imports/imported-contacts.ts';

/** How long a merge can be undone. */
const undoMs = 30 * 24 * 3600 * 1000;

interface ContactMergesParts {
  sql: SqlStorage;
  rows: ContactRows;
  contacts: Contacts;
  members: ImportedContacts;
}

/** What has come of a merge. */
export interface Merged {
  ok: true;
  mergeId: string;
  contact: Contact;
  drafts: EventDraft[];
}

/** Two contacts that are one, as a person knows: a phone number and an alias. It can be undone. */
export class ContactMerges {
  readonly #parts: ContactMergesParts;

  constructor(parts: ContactMergesParts) {
    this.#parts = parts;
  }

  /** Null: there are no two such contacts. Call inside a transaction. */
  merge(contactId: string, otherId: string, now: number): Merged | Refusal | null {
    const { sql, rows, contacts, members } = this.#parts;
    const [kept, other] = [rows.find(contactId), rows.find(otherId)];
    if (kept === null || other === null) return null;
    if (contactId === otherId) return refuse('CONFLICT', 'This is one contact already.');
    if (kept.phoneNumber !== null && other.phoneNumber !== null) {
      return refuse('CONFLICT', 'Each of them has a phone number: a contact has one.');
    }
    if (kept.lid !== null && other.lid !== null) {
      return refuse('CONFLICT', 'Each of them has an alias at the network: a contact has one.');
    }
    const mergeId = newUuid();
    sql.exec('DELETE FROM contact_merges WHERE at < ?', now - undoMs);
    sql.exec(
      'INSERT INTO contact_merges (merge_id, contact_id, at, kept, merged) VALUES (?, ?, ?, ?, ?)',
      ...[mergeId, contactId, now, JSON.stringify(kept), JSON.stringify(other)],
    );
    members.pass(otherId, contactId);
    rows.remove(other);
    rows.put(mergedContact(kept, other), kept);
    const contact = rows.find(contactId) ?? kept;
    const drafts = [updatedEvent(contact), ...contacts.joined(contact, now)];
    return { ok: true, mergeId, contact, drafts };
  }

  /** Both as they were, but for what was changed since. Null: there is no such merge. Call inside a transaction. */
  undo(
    mergeId: string,
    now: number,
  ): { ok: true; contacts: Contact[]; drafts: EventDraft[] } | Refusal | null {
    const { sql, rows } = this.#parts;
    const found = sql
      .exec<{ at: number; kept: string; merged: string }>(
        'SELECT at, kept, merged FROM contact_merges WHERE merge_id = ?',
        mergeId,
      )
      .toArray()[0];
    if (found === undefined || found.at < now - undoMs) return null;
    const [kept, other]: [Contact, Contact] = [JSON.parse(found.kept), JSON.parse(found.merged)];
    const { contactId } = kept;
    const current = rows.find(contactId);
    if (current === null) return null;
    const after = without(current, kept, other);
    const isFree = ({ phoneNumber, lid }: Contact) =>
      [
        phoneNumber === null ? null : rows.of({ phoneNumber }).byPhone,
        lid === null ? null : rows.of({ lid }).byLid,
      ].every((one) => one === null || one.contactId === contactId);
    if (!isFree(other)) {
      return refuse('CONFLICT', 'Another contact has its phone number or its alias by now.');
    }
    rows.put(after, current);
    rows.put(other, null);
    sql.exec('DELETE FROM contact_merges WHERE merge_id = ?', mergeId);
    const contacts = [contactId, other.contactId].flatMap((id) => rows.find(id) ?? []);
    return { ok: true, contacts, drafts: contacts.map(updatedEvent) };
  }
}
