import type { LogState } from '../../log-state.ts';
import { type ContactRow, contactOf } from '../contact-row.ts';
import { ContactWords, writtenWords } from './contact-words.ts';

export const contactTermsSql = `
  -- The words of contacts up to this row are indexed as they were written.
  INSERT INTO log_state (name, json)
    SELECT 'contactTerms.formerUpTo', max(id) FROM contacts HAVING max(id) IS NOT NULL;
`;

/** Contacts that are looked at in one go. */
const batchRows = 500;
const markName = 'contactTerms.formerUpTo';

interface RenewalParts {
  storage: DurableObjectStorage;
  state: LogState;
}

/** Indexes anew, in batches, what an earlier release has indexed as it was written. Words of ASCII alone stay as they are. */
export class ContactWordsRenewal {
  readonly #parts: RenewalParts;
  #formerUpTo: number;

  constructor(parts: RenewalParts) {
    this.#parts = parts;
    this.#formerUpTo = parts.state.get(markName) ?? 0;
  }

  dueAt(): number | null {
    return this.#formerUpTo === 0 ? null : 0;
  }

  async run(): Promise<void> {
    while (this.#formerUpTo > 0) {
      this.#batch();
      await scheduler.wait(0);
    }
  }

  #batch(): void {
    const { storage, state } = this.#parts;
    const words = new ContactWords(storage.sql);
    storage.transactionSync(() => {
      const rows = storage.sql
        .exec<ContactRow>(
          'SELECT * FROM contacts WHERE id <= ? ORDER BY id DESC LIMIT ?',
          this.#formerUpTo,
          batchRows,
        )
        .toArray();
      for (const row of rows) {
        const contact = contactOf(row);
        if (/^\p{ASCII}*$/u.test(writtenWords(contact))) continue;
        words.remove(contact.contactId);
        words.add(row.id, contact);
      }
      const last = rows.length < batchRows ? undefined : rows.at(-1);
      if (last === undefined) state.remove(markName);
      else state.put(markName, last.id - 1);
    });
    this.#formerUpTo = state.get(markName) ?? 0;
  }
}
