import type { Keeper } from '../housekeeping.ts';
import { timeOf } from '../message-ids.ts';
import type { Books } from './books.ts';
import type { Choosing } from './choosing.ts';
import type { ConfigurationSource } from './configuration-source.ts';
import type { KeyRing } from './key-ring.ts';
import type { SendCounts } from './send-counts.ts';

/** A number that is being made may report before it stands in the configuration. */
const newForMs = 24 * 3600 * 1000;

/** Forgets numbers and keys that the account does not have any more. They are never many, so one slice takes all. */
export class Strangers implements Keeper {
  readonly #parts: StrangersParts;

  constructor(parts: StrangersParts) {
    this.#parts = parts;
  }

  sweep(now: number): boolean {
    const { configuration, books, keys, choosing, counts } = this.#parts;
    const current = configuration.loaded;
    if (current === null) return true;
    keys.sweep(current);
    const own = new Set(current.senders.map(({ numberId }) => numberId));
    const known = new Set([
      ...choosing.senders.numberIds(),
      ...[...books.all()].map(([numberId]) => numberId),
    ]);
    for (const numberId of known) {
      if (own.has(numberId) || now - timeOf(`msg_${numberId}`) < newForMs) continue;
      choosing.senders.forget(numberId);
      // What it sent goes on counting; a message that is still looked for keeps its book.
      if (Object.keys(books.of(numberId).pending).length === 0) counts.close(numberId);
    }
    return true;
  }
}

interface StrangersParts {
  configuration: ConfigurationSource;
  books: Books;
  keys: KeyRing;
  choosing: Choosing;
  counts: SendCounts;
}
