import type { LogState } from '../log-state.ts';
import { withInbound } from './contact.ts';
import { type ContactRow, contactOf } from './contact-row.ts';
import type { ContactRows } from './contact-rows.ts';

const stepRows = 200;
const pauseMs = 100;
const placeName = 'contacts.backfill';
/** Messages of one contact that are looked at: a contact who has written most of late has written. */
const messagesMax = 200;

interface BackfillParts {
  storage: DurableObjectStorage;
  state: LogState;
  rows: ContactRows;
}

/**
 * Contacts that were stored before their country, and when they wrote, was kept with them: step by step, once in a log's life.
 * A log that begins now has none.
 */
export class ContactBackfill {
  readonly #parts: BackfillParts;
  /** The id up to which it is done; null: all is. */
  #place: number | null;
  #restUntil = 0;

  constructor(parts: BackfillParts) {
    this.#parts = parts;
    this.#place = this.#placeNow();
  }

  dueAt(): number | null {
    return this.#place === null ? null : Math.max(1, this.#restUntil);
  }

  run(): void {
    const { storage, state } = this.#parts;
    storage.transactionSync(() => {
      const rows = this.#next();
      for (const row of rows) this.#complete(row);
      this.#place = rows.length < stepRows ? null : (rows.at(-1)?.id ?? null);
      if (this.#place === null) state.remove(placeName);
      else state.put(placeName, this.#place);
    });
    this.#restUntil = Date.now() + pauseMs;
  }

  /** Rows are completed in order, and new ones are complete. */
  #placeNow(): number | null {
    const { storage, state } = this.#parts;
    const first = storage.sql
      .exec<{ wrote_to: string | null }>('SELECT wrote_to FROM contacts ORDER BY id LIMIT 1')
      .toArray()[0];
    return state.get<number>(placeName) ?? (first?.wrote_to === null ? 0 : null);
  }

  #next(): ContactRow[] {
    return this.#parts.storage.sql
      .exec<ContactRow>(
        'SELECT * FROM contacts WHERE id > ? ORDER BY id LIMIT ?',
        ...[this.#place ?? 0, stepRows],
      )
      .toArray();
  }

  #complete(row: ContactRow): void {
    if (row.wrote_to !== null) return;
    const contact = contactOf(row);
    let { wroteTo } = contact;
    for (const peer of [contact.phoneNumber, contact.lid]) {
      if (peer === null) continue;
      const messages = this.#parts.storage.sql.exec<{ number_id: string; at: number }>(
        `SELECT number_id, max(received_at) AS at FROM (
           SELECT number_id, received_at FROM messages
           WHERE peer = ? AND direction = 'inbound' AND chat_type = 'personal' ORDER BY id DESC LIMIT ?)
         GROUP BY number_id`,
        ...[peer, messagesMax],
      );
      for (const { number_id, at } of messages) wroteTo = withInbound(wroteTo, number_id, at);
    }
    this.#parts.rows.put({ ...contact, wroteTo }, contact);
  }
}
