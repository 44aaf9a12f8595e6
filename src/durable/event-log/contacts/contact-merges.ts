import { type Refusal, refuse } from '../../../contract/errors.ts';
import { newUuid } from '../../new-ids.ts';
import { Tables } from '../../storage/rows.ts';
import type { EventDraft } from '../events/event-draft.ts';
import { type Contact, mergedContact, without } from './contact.ts';
import type { ContactRows } from './contact-rows.ts';
import { type Contacts, type Parted, updatedEvent } from './contacts.ts';

/** How long a merge can be undone. */
const undoMs = 30 * 24 * 3600 * 1000;

interface ContactMergesParts {
  sql: SqlStorage;
  rows: ContactRows;
  contacts: Contacts;
  parted: Parted;
}

/** What has come of a merge. */
export interface Merged {
  ok: true;
  mergeId: string;
  contact: Contact;
  drafts: EventDraft[];
}

/** A merge that was not undone. */
export interface KnownMerge {
  mergeId: string;
  at: number;
  until: number;
  contactId: string;
  /** The one that became a part of it, as it was. */
  other: Contact;
  /** Both are there, or free, so that they can be parted again. */
  canUndo: boolean;
}

type Row = { merge_id: string; at: number; kept: string; merged: string };

/** Two contacts that are one, as a person knows: a phone number and an alias. It can be undone. */
export class ContactMerges extends Tables {
  readonly #parts: ContactMergesParts;

  constructor(parts: ContactMergesParts) {
    super(parts.sql);
    this.#parts = parts;
  }

  /** Null: there are no two such contacts. Call inside a transaction. */
  merge(contactId: string, otherId: string, now: number): Merged | Refusal | null {
    const { rows, contacts } = this.#parts;
    const [kept, other] = [rows.find(contactId), rows.find(otherId)];
    if (kept === null || other === null) return null;
    if (kept.contactId === other.contactId) return refuse('CONFLICT', 'These are already one contact.');
    if (kept.phoneNumber !== null && other.phoneNumber !== null) {
      return refuse('CONFLICT', 'Both contacts have a phone number, and a contact can have only one.');
    }
    if (kept.lid !== null && other.lid !== null) {
      return refuse(
        'CONFLICT',
        'Both contacts have an alias on the network, and a contact can have only one.',
      );
    }
    const mergeId = newUuid();
    this.sql.exec('DELETE FROM contact_merges WHERE at < ?', now - undoMs);
    this.sql.exec(
      'INSERT INTO contact_merges (merge_id, contact_id, at, kept, merged) VALUES (?, ?, ?, ?, ?)',
      ...[mergeId, kept.contactId, now, JSON.stringify(kept), JSON.stringify(other)],
    );
    rows.join(kept, other, mergedContact(kept, other));
    const contact = rows.find(kept.contactId) ?? kept;
    const drafts = [updatedEvent(contact), ...contacts.joined(contact, now, true)];
    return { ok: true, mergeId, contact, drafts };
  }

  /** Those that were not undone, newest first, below `before`; one more than `limit` where there are more. */
  newest(contactId: string | null, limit: number, before: string | null, now: number): KnownMerge[] {
    const { rows } = this.#parts;
    const ids = contactId === null ? null : rows.idsOf(rows.find(contactId)?.contactId ?? contactId);
    return this.queryAll<Row>(
      `SELECT merge_id, at, kept, merged FROM contact_merges
         WHERE merge_id < ?1 AND at >= ?2 AND (?3 IS NULL OR contact_id IN (SELECT value FROM json_each(?3)))
         ORDER BY merge_id DESC LIMIT ?4`,
      ...[before ?? '~', now - undoMs, ids && JSON.stringify(ids), limit + 1],
    ).map(({ merge_id, at, kept, merged }) => {
      const [{ contactId: keptId }, other]: [Contact, Contact] = [JSON.parse(kept), JSON.parse(merged)];
      const current = rows.find(keptId);
      const canUndo = current?.contactId === keptId && this.#isFree(other, keptId);
      const standingId = current?.contactId ?? keptId;
      return { mergeId: merge_id, at, until: at + undoMs, contactId: standingId, other, canUndo };
    });
  }

  /** Both as they were, but for what was changed since. Null: there is no such merge. Call inside a transaction. */
  undo(
    mergeId: string,
    now: number,
  ): { ok: true; contacts: Contact[]; drafts: EventDraft[] } | Refusal | null {
    const { rows, parted } = this.#parts;
    const query = 'SELECT merge_id, at, kept, merged FROM contact_merges WHERE merge_id = ?';
    const found = this.queryFirst<Row>(query, mergeId);
    if (found === undefined || found.at < now - undoMs) return null;
    const [kept, other]: [Contact, Contact] = [JSON.parse(found.kept), JSON.parse(found.merged)];
    const { contactId } = kept;
    const current = rows.find(contactId);
    if (current === null) return null;
    if (current.contactId !== contactId) {
      return refuse('CONFLICT', 'The contact has become a part of another one since.');
    }
    const after = without(current, kept, other);
    if (!this.#isFree(other, contactId)) {
      return refuse('CONFLICT', 'Another contact now has its phone number or its alias.');
    }
    rows.put(after, current);
    rows.part(other);
    const drafts = parted(after, other, now);
    this.sql.exec('DELETE FROM contact_merges WHERE merge_id = ?', mergeId);
    const contacts = [contactId, other.contactId].flatMap((id) => rows.find(id) ?? []);
    return { ok: true, contacts, drafts: [...contacts.map(updatedEvent), ...drafts] };
  }

  /** Whether nobody else has its addresses. */
  #isFree({ phoneNumber, lid }: Contact, contactId: string): boolean {
    const { rows } = this.#parts;
    const holders = [rows.at({ phoneNumber, lid: null }), rows.at({ phoneNumber: null, lid })];
    return holders.every((one) => one === null || one.contactId === contactId);
  }
}
