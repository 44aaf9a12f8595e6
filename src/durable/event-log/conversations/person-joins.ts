import type { EventDraft } from '../events/event-draft.ts';
import type { Addresses, PersonAddress } from './conversation.ts';
import type { Conversations } from './conversations.ts';

type Row = { id: number; phone: string; lid: string | null; dialled: string | null };

/** Pairs of conversations of one transaction: they take less than 100 ms. */
const pairsMax = 100;

/**
 * Two addresses that turn out to be one person's, or two people's after all. Who has conversations under both with more
 * numbers than are joined in one go is joined by and by; until then each has its own.
 */
export class PersonJoins {
  readonly #sql: SqlStorage;
  readonly #conversations: Conversations;

  constructor(sql: SqlStorage, conversations: Conversations) {
    this.#sql = sql;
    this.#conversations = conversations;
  }

  /** A phone number, and an alias or the digits that the network has instead. Call inside a transaction. */
  join(one: PersonAddress, other: PersonAddress, at: number): EventDraft[] {
    const { drafts, isWhole } = this.#conversations.join(one, other, at, pairsMax);
    if (!isWhole) {
      this.#sql.exec(
        'INSERT INTO person_joins (phone, lid, dialled) VALUES (?, ?, ?)',
        ...(other.kind === 'lid' ? [one.address, other.address, null] : [other.address, null, one.address]),
      );
    }
    return drafts;
  }

  /** Call inside a transaction. */
  part(first: Addresses, second: Addresses, at: number): EventDraft[] {
    const phoneNumber = first.phoneNumber ?? second.phoneNumber;
    const lid = first.lid ?? second.lid;
    this.#sql.exec('DELETE FROM person_joins WHERE phone = ? AND lid = ?', phoneNumber, lid);
    return this.#conversations.part(first, second, at);
  }

  dueAt(): number | null {
    return this.#next() === undefined ? null : 1;
  }

  /** Goes on with somebody. Call inside a transaction. */
  run(now: number): EventDraft[] {
    const next = this.#next();
    if (next === undefined) return [];
    const { id, phone, lid, dialled } = next;
    this.#sql.exec('DELETE FROM person_joins WHERE id = ?', id);
    return this.join(
      { kind: 'phone', address: dialled ?? phone },
      lid === null ? { kind: 'phone', address: phone } : { kind: 'lid', address: lid },
      now,
    );
  }

  #next(): Row | undefined {
    return this.#sql.exec<Row>('SELECT * FROM person_joins ORDER BY id LIMIT 1').toArray()[0];
  }
}
