import type { EventDraft } from '../events/event-draft.ts';
import type { KnownAddresses } from './conversation.ts';
import type { ConversationRows } from './conversation-rows.ts';
import type { Conversations } from './conversations.ts';

/** Conversations that are joined in one call, at most; the rest follows by the alarm, as many at a time. */
const joinedMax = 50;
const pauseMs = 50;

type Row = { id: number; phone: string; lid: string | null; dialled: string | null };

/**
 * Joins the conversations of people who were known by two addresses. Whatever the number of numbers and conversations, a call
 * joins {@link joinedMax} of them, and notes whose are left.
 */
export class PersonJoins {
  readonly #sql: SqlStorage;
  readonly #rows: ConversationRows;
  readonly #conversations: Conversations;
  #room = joinedMax;
  #restUntil = 0;

  constructor(sql: SqlStorage, rows: ConversationRows, conversations: Conversations) {
    this.#sql = sql;
    this.#rows = rows;
    this.#conversations = conversations;
  }

  /** A call begins, which may join as many as one may. */
  begin(): void {
    this.#room = joinedMax;
  }

  /** A phone number and an alias are one person. Call inside a transaction. */
  joined(phoneNumber: string, lid: string, at: number): EventDraft[] {
    return this.#joinOrNote({ phoneNumber, lid, dialled: null }, at);
  }

  /** The network knows whom somebody dialled by other digits. Call inside a transaction. */
  renumbered(dialled: string, phoneNumber: string, at: number): EventDraft[] {
    return this.#joinOrNote({ phoneNumber, lid: null, dialled }, at);
  }

  dueAt(): number | null {
    return this.#next() === undefined ? null : this.#restUntil;
  }

  /** Joins what is left, as many as one call may. Call inside a transaction. */
  run(now: number): EventDraft[] {
    this.begin();
    this.#restUntil = now + pauseMs;
    const drafts: EventDraft[] = [];
    for (let next = this.#next(); next !== undefined && this.#room > 0; next = this.#next()) {
      const { id, phone: phoneNumber, lid, dialled } = next;
      const step = this.#join({ phoneNumber, lid, dialled }, now);
      drafts.push(...step.drafts);
      if (step.isDone) this.#sql.exec('DELETE FROM person_joins WHERE id = ?', id);
    }
    return drafts;
  }

  /** They are two again, or were erased. Call inside a transaction. */
  forget(address: string): void {
    this.#sql.exec('DELETE FROM person_joins WHERE phone = ?1 OR lid = ?1 OR dialled = ?1', address);
  }

  #joinOrNote(addresses: KnownAddresses, at: number): EventDraft[] {
    const { drafts, isDone } = this.#join(addresses, at);
    if (!isDone) {
      const { phoneNumber, lid, dialled } = addresses;
      const insert = 'INSERT INTO person_joins (phone, lid, dialled) VALUES (?, ?, ?)';
      this.#sql.exec(insert, phoneNumber, lid, dialled);
    }
    return drafts;
  }

  /** As many as there is room for. */
  #join(addresses: KnownAddresses, at: number): { drafts: EventDraft[]; isDone: boolean } {
    const { phoneNumber, lid, dialled } = addresses;
    const numberIds =
      dialled !== null
        ? this.#rows.numbersOf(dialled, this.#room + 1)
        : lid !== null
          ? this.#rows.numbersToJoin(phoneNumber, lid, this.#room + 1)
          : [];
    const some = numberIds.slice(0, this.#room);
    this.#room -= some.length;
    return {
      drafts: some.flatMap((numberId) => this.#conversations.join(numberId, addresses, at)),
      isDone: some.length === numberIds.length,
    };
  }

  #next(): Row | undefined {
    const query = 'SELECT id, phone, lid, dialled FROM person_joins ORDER BY id LIMIT 1';
    return this.#sql.exec<Row>(query).toArray()[0];
  }
}
