import { Tables } from '../../storage/rows.ts';
import type { LoggedMessage } from '../messages/logged-message.ts';

export const joinedContactsSql = `
  -- Contacts that became a part of another one, which may itself have become a part of a third one.
  CREATE TABLE joined_contacts (contact_id TEXT PRIMARY KEY, into_id TEXT NOT NULL) WITHOUT ROWID;
  CREATE INDEX joined_contacts_into ON joined_contacts (into_id);
  INSERT OR IGNORE INTO joined_contacts SELECT merged ->> '$.contactId', contact_id FROM contact_merges;
`;

/**
 * Which contact became a part of which. Callers keep ids, so the id of a contact that became a part of another one means that
 * one from then on. The steps are stored as they happened, since each can be undone by itself.
 */
export class JoinedContacts extends Tables {
  /** The contact that an id means now; the id itself where it never became a part of another one. */
  standing(contactId: string): string {
    const query = 'SELECT into_id FROM joined_contacts WHERE contact_id = ?';
    let standing = contactId;
    for (let next: string | null = standing; next !== null; next = this.queryValue<string>(query, standing)) {
      standing = next;
    }
    return standing;
  }

  /** The message with the id of the contact that stands. */
  named(message: LoggedMessage): LoggedMessage {
    if (message.direction === 'inbound' || !message.contactId) return message;
    return { ...message, contactId: this.standing(message.contactId) };
  }

  /** All ids that mean this contact, its own first. */
  idsOf(contactId: string): string[] {
    return this.queryValues<string>(
      `WITH RECURSIVE ids(id) AS (
           VALUES (?)
           UNION ALL
           SELECT contact_id FROM joined_contacts, ids WHERE into_id = id
         ) SELECT id FROM ids`,
      contactId,
    );
  }

  /** Call inside the transaction in which the one becomes a part of the other. */
  add(contactId: string, intoId: string): void {
    this.part(intoId);
    this.sql.exec('INSERT OR REPLACE INTO joined_contacts VALUES (?, ?)', contactId, intoId);
  }

  /** It stands by itself again, with all that had become a part of it. Call inside that transaction. */
  part(contactId: string): void {
    this.sql.exec('DELETE FROM joined_contacts WHERE contact_id = ?', contactId);
  }

  /** The contact goes: none of its ids means anybody. Call inside that transaction. */
  forget(contactId: string): void {
    const ids = JSON.stringify(this.idsOf(contactId));
    this.sql.exec('DELETE FROM joined_contacts WHERE contact_id IN (SELECT value FROM json_each(?))', ids);
  }
}
