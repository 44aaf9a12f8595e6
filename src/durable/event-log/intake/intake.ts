import type { Counting } from '../../counts/gathered-counts.ts';
import { logFault } from '../../log.ts';
import { Tables } from '../../storage/rows.ts';
import type { EventRows } from '../events/event-rows.ts';
import { type Fact, workMax, workOf } from '../facts.ts';
import type { MessageRows } from '../messages/message-rows.ts';
import { countFacts, logTraces, type ToldFact } from './counted-facts.ts';
import { type Effected, type Effects, effectOf } from './effects.ts';

interface Parts {
  accountId: string;
  storage: DurableObjectStorage;
  events: EventRows;
  messages: MessageRows;
  effects: Effects;
  parked: ParkedFacts;
  counting: Counting;
  /** After a rollback: what is stored is true, what is in memory is not. */
  reload: () => void;
}

/** What came of the facts of one call. */
interface Intaken {
  /** So many of them, from the first on, are in the log now. */
  taken: number;
  events: number;
  parked: number;
  /** Receipts of messages that the log does not know. */
  unknownReceipts: number;
}

type Effect = () => Effected;

/**
 * Takes facts: message rows and events of all of them in one transaction. A repeated fact changes nothing. One call takes no
 * more facts than a limit of work allows ({@link workMax}), but always the first one.
 */
export class Intake {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  append(facts: readonly Fact[], now: number): Intaken {
    try {
      return this.#takeAll(facts, now, (_, effect) => effect());
    } catch {
      // Which of them it was shows when each has a transaction of its own: it is parked, and the others are taken.
      return this.#takeAll(facts, now, (fact, effect) => this.#orPark(fact, effect, now));
    }
  }

  #takeAll(
    facts: readonly Fact[],
    now: number,
    apply: (fact: Fact, effect: Effect) => Effected | 'parked',
  ): Intaken {
    const { storage, events, messages, counting, reload } = this.#parts;
    const news: ToldFact[] = [];
    try {
      const intaken = storage.transactionSync(() => {
        const result: Intaken = { taken: 0, events: 0, parked: 0, unknownReceipts: 0 };
        let work = 0;
        for (const fact of facts) {
          work += workOf(fact);
          if (result.taken > 0 && work > workMax) break;
          const effect = effectOf(this.#parts.effects, fact);
          // An older version does not guess: the giver tells it again once the deploy is over.
          if (effect === null) break;
          const told = apply(fact, effect);
          if (told === 'parked') result.parked += 1;
          else if (told === null) result.unknownReceipts += 1;
          else news.push({ fact, drafts: told });
          result.taken += 1;
        }
        messages.storeProgress();
        const drafts = news.flatMap((one) => one.drafts);
        result.events = events.append(drafts, now).length;
        return result;
      });
      countFacts(counting, news);
      for (const { drafts } of news) logTraces(this.#parts.accountId, drafts);
      return intaken;
    } catch (error) {
      reload();
      throw error;
    }
  }

  #orPark(fact: Fact, effect: Effect, now: number): Effected | 'parked' {
    const { storage, messages, parked, reload } = this.#parts;
    try {
      return storage.transactionSync(() => {
        const told = effect();
        messages.storeProgress();
        return told;
      });
    } catch (error) {
      reload();
      parked.park(fact, error, now);
      return 'parked';
    }
  }
}

/** The newest are kept. */
const factsMax = 1_000;
const factCharactersMax = 100_000;

/** Facts that could not be stored although their kind is known: kept for those who mend it, and in nobody's way. */
export class ParkedFacts extends Tables {
  park(fact: Fact, error: unknown, now: number): void {
    logFault('fact.parked', error, { kind: fact.kind });
    this.sql.exec(
      'INSERT INTO parked_facts (at, fact, error) VALUES (?, ?, ?)',
      now,
      JSON.stringify(fact).slice(0, factCharactersMax),
      String(error).slice(0, factCharactersMax),
    );
    this.sql.exec('DELETE FROM parked_facts WHERE id <= (SELECT max(id) FROM parked_facts) - ?', factsMax);
  }

  /** Whoever has this address was erased: digits, of a phone number or an alias. */
  forget(address: string): void {
    this.sql.exec(
      'DELETE FROM parked_facts WHERE instr(fact, ?) > 0 OR instr(fact, ?) > 0',
      ...[`"${address}"`, `"${address}@`],
    );
  }
}
