import { timeOf } from '../message-ids.ts';
import type { Books } from './books.ts';

/** How old a send is when it is checked: any hand-over is over by then. */
const checkAfterMs = 60_000;
/** Asked about with one message. */
const leftMax = 100;

/** Sends that were counted and given to a number, until it is known that they have arrived there: in the number's book. */
export class PendingSends {
  readonly #books: Books;
  readonly #isUnderWay: (messageId: string) => boolean;
  /** Those of an earlier life: nearly all of them have arrived, so they are no reason to wake up. */
  readonly #inherited = new Set<string>();
  #notBefore = 0;

  /** `isUnderWay`: the number is being asked in this life of the object, and its answer will tell. */
  constructor(books: Books, isUnderWay: (messageId: string) => boolean) {
    this.#books = books;
    this.#isUnderWay = isUnderWay;
    for (const [, { pending }] of books.all()) {
      for (const messageId of Object.keys(pending)) this.#inherited.add(messageId);
    }
  }

  /** Call before the book is saved, in the transaction that counts the message. */
  add(numberId: string, messageId: string, idempotencyKey: string | null): void {
    this.#books.of(numberId).pending[messageId] = idempotencyKey;
  }

  /** Null when it is known to have arrived, or to be no more. */
  find(messageId: string): { numberId: string; idempotencyKey: string | null } | null {
    for (const [numberId, { pending }] of this.#books.all()) {
      const idempotencyKey = pending[messageId];
      if (idempotencyKey !== undefined) return { numberId, idempotencyKey };
    }
    return null;
  }

  /** Those of a number whose hand-over is over: it is asked about them with its next message. */
  left(numberId: string): string[] {
    const ids = Object.keys(this.#books.of(numberId).pending);
    return ids.filter((messageId) => !this.#isUnderWay(messageId)).slice(0, leftMax);
  }

  /** Writes nothing: the number's next send does. Whoever does not know it yet asks the number once more. */
  forget(numberId: string, messageId: string): void {
    delete this.#books.of(numberId).pending[messageId];
    this.#inherited.delete(messageId);
  }

  /** When the next check is due; null when there is nothing to check. `wakesAt`: when the object wakes in any case. */
  checkDueAt(wakesAt: number | null): number | null {
    if (this.#inherited.size > 0 && wakesAt !== null && wakesAt <= Date.now()) return wakesAt;
    let oldest: number | null = null;
    for (const [, { pending }] of this.#books.all()) {
      for (const messageId of Object.keys(pending)) {
        if (this.#isUnderWay(messageId) || this.#inherited.has(messageId)) continue;
        oldest = Math.min(oldest ?? Number.POSITIVE_INFINITY, timeOf(messageId));
      }
    }
    return oldest === null ? null : Math.max(oldest + checkAfterMs, this.#notBefore);
  }

  noteChecked(now: number): void {
    this.#notBefore = now + checkAfterMs;
  }

  /** The older ones, by number. */
  toCheck(now: number): Map<string, string[]> {
    const byNumber = new Map<string, string[]>();
    for (const [numberId, { pending }] of this.#books.all()) {
      const old = Object.keys(pending).filter(
        (messageId) => !this.#isUnderWay(messageId) && timeOf(messageId) <= now - checkAfterMs,
      );
      if (old.length > 0) byNumber.set(numberId, old);
    }
    return byNumber;
  }
}
