import { logFault } from '../../log.ts';
import type { Fact } from '../facts.ts';

/** The newest are kept. */
const factsMax = 1_000;
const factCharactersMax = 100_000;

/** Facts that could not be stored although their kind is known: kept for those who mend it, and in nobody's way. */
export class ParkedFacts {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  park(fact: Fact, error: unknown, now: number): void {
    logFault('fact.parked', error, { kind: fact.kind });
    this.#sql.exec(
      'INSERT INTO parked_facts (at, fact, error) VALUES (?, ?, ?)',
      now,
      JSON.stringify(fact).slice(0, factCharactersMax),
      String(error).slice(0, factCharactersMax),
    );
    this.#sql.exec('DELETE FROM parked_facts WHERE id <= (SELECT max(id) FROM parked_facts) - ?', factsMax);
  }
}
