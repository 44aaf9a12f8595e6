import { comparableWord } from '../../../contract/texts/opt-out-words.ts';
import { log, shortNumber } from '../../log.ts';
import { newUuid } from '../../new-ids.ts';
import { fieldsOf, type RowOf, Tables } from '../../storage/rows.ts';
import type { Aliases } from './aliases.ts';

/** Somebody who does not want to be written to. */
export interface OptOut {
  /** Sorts by when it was told. */
  id: string;
  /** Digits of a phone number, or an alias as `<digits>@lid` where no phone number is known. */
  phoneNumber: string;
  /** When they wrote the word, or were put on the list by hand; milliseconds since 1970. */
  at: number;
  /** The number that they wrote it to, and the word; null where somebody did it by hand. */
  numberId: string | null;
  word: string | null;
}

/** Stands for number and word where there are none: the columns are older than the lists kept by hand. */
const byHand = '';

type Row = RowOf<OptOut>;
type StoredRow = { opted_out: number; at: number; number_id: string; word: string };

const select = `SELECT id, phone_number, at, nullif(number_id, '${byHand}') AS number_id,
    nullif(word, '${byHand}') AS word FROM opt_outs WHERE opted_out = 1`;

/** All other digits of whoever has these ones, as the network has told; in SQL. */
const otherDigitsOf = (digits: string) => `
  SELECT address FROM recipient_checks WHERE phone_number = ${digits}
  UNION ALL SELECT phone_number FROM recipient_checks WHERE address = ${digits}
  UNION ALL SELECT other.phone_number FROM recipient_checks AS own
    JOIN recipient_checks AS other ON other.address = own.address WHERE own.phone_number = ${digits}`;

/**
 * The account's opt-out list: a row for each person, under the one address that {@link Aliases.personOf} has. Somebody whom the
 * network knows by other digits than those that were dialled may have several, of which the newest counts.
 */
export class OptOuts extends Tables {
  readonly #aliases: Aliases;
  /** The last time that somebody opted out, as far as this life of the object knows: not before it began. */
  #lastAddedAt: number;

  constructor(sql: SqlStorage, aliases: Aliases, now: number) {
    super(sql);
    this.#aliases = aliases;
    this.#lastAddedAt = now;
  }

  /** Whether somebody may have opted out after a message to them was accepted, at `at`. */
  mayHaveSince(at: number): boolean {
    return at <= this.#lastAddedAt;
  }

  /** When they opted out; null for who has not. */
  since(phoneNumber: string): number | null {
    const row = this.#newest(this.#aliases.personOf(phoneNumber));
    return row?.opted_out === 1 ? row.at : null;
  }

  has(phoneNumber: string): boolean {
    return this.since(phoneNumber) !== null;
  }

  /**
   * Stores a word of the recipient that opts them out or in. The one that was written last counts, whatever the order and
   * number of reports. The network dates in whole seconds; within one second, a number reports and repeats in order. True:
   * they have opted out now.
   */
  note(address: string, meaning: 'stop' | 'start', at: number, numberId: string, word: string): boolean {
    const phoneNumber = this.#aliases.personOf(address);
    const optedOut = meaning === 'stop';
    const wasOut = this.has(phoneNumber);
    if (!optedOut && !wasOut) return false;
    const isChanged = this.queryAny(
      `INSERT INTO opt_outs (phone_number, id, opted_out, at, number_id, word) VALUES (?, ?, ?, ?, ?, ?)
           ON CONFLICT DO UPDATE SET id = excluded.id, opted_out = excluded.opted_out, at = excluded.at,
             number_id = excluded.number_id, word = excluded.word
           WHERE at < excluded.at OR (at = excluded.at AND opted_out <> excluded.opted_out)
           RETURNING 1`,
      phoneNumber,
      newUuid(),
      optedOut ? 1 : 0,
      at,
      numberId,
      comparableWord(word),
    );
    if (!isChanged) return false;
    if (optedOut) this.#lastAddedAt = Date.now();
    log(optedOut ? 'opt_out.added' : 'opt_out.removed', { numberId, phoneNumber: shortNumber(phoneNumber) });
    return optedOut && !wasOut;
  }

  /** Two addresses are one person: what was written under one counts for the other, unless something newer does. */
  move(from: string, to: string): void {
    this.copy(from, to);
    this.sql.exec('DELETE FROM opt_outs WHERE phone_number = ?', from);
  }

  /** Who had one address has two now: whoever opted out has done so under both. */
  copy(from: string, to: string): void {
    const query = 'SELECT * FROM opt_outs WHERE phone_number = ?';
    for (const row of this.queryAll<StoredRow>(query, from)) {
      this.note(to, row.opted_out === 1 ? 'stop' : 'start', row.at, row.number_id, row.word);
    }
  }

  /** Puts somebody on by hand, unless they are on it: then what they wrote stays known. */
  add(address: string, now: number): { isNew: boolean; optOut: OptOut } {
    const phoneNumber = this.#aliases.personOf(address);
    const newest = this.#newest(phoneNumber);
    const isNew = newest?.opted_out !== 1;
    if (isNew) {
      this.sql.exec(
        `INSERT INTO opt_outs (phone_number, id, opted_out, at, number_id, word) VALUES (?, ?, 1, ?, ?, ?)
           ON CONFLICT DO UPDATE SET id = excluded.id, opted_out = 1, at = excluded.at, number_id = excluded.number_id,
             word = excluded.word`,
        phoneNumber,
        newUuid(),
        Math.max(now - (now % 1000), newest?.at ?? 0),
        byHand,
        byHand,
      );
      this.#lastAddedAt = now;
      log('opt_out.added', { phoneNumber: shortNumber(phoneNumber) });
    }
    const { id } = this.#newest(phoneNumber) ?? {};
    const row = this.queryOne<Row>(`${select} AND id = ?`, id ?? '');
    return { isNew, optOut: fieldsOf<OptOut>(row) };
  }

  /** Takes somebody off by hand; false when they are not on the list. A word of the same second, or later, holds. */
  remove(address: string, now: number): boolean {
    const phoneNumber = this.#aliases.personOf(address);
    const isRemoved = this.queryAny(
      `UPDATE opt_outs SET opted_out = 0, at = max(at, ?2) WHERE opted_out = 1
         AND (phone_number = ?1 OR phone_number IN (${otherDigitsOf('?1')})) RETURNING 1`,
      phoneNumber,
      now - (now % 1000),
    );
    if (isRemoved) log('opt_out.removed', { phoneNumber: shortNumber(phoneNumber) });
    return isRemoved;
  }

  /** Newest first; at most `limit`, older than the one with id `before`. Whoever opted out under several digits is there once. */
  list(limit: number, before: string | null): OptOut[] {
    // 0.1.0 has left people under their alias as well.
    const rows = this.queryAll<Row>(
      `${select} AND NOT EXISTS (SELECT 1 FROM aliases WHERE lid || '@lid' = opt_outs.phone_number)
           AND NOT EXISTS (SELECT 1 FROM opt_outs AS newer
             WHERE newer.phone_number IN (${otherDigitsOf('opt_outs.phone_number')})
               AND (newer.at, newer.id) > (opt_outs.at, opt_outs.id))
           AND id < ? ORDER BY id DESC LIMIT ?`,
      before ?? 'g',
      limit,
    );
    return rows.map((row) => fieldsOf<OptOut>(row));
  }

  #newest(person: string): { id: string; opted_out: number; at: number } | undefined {
    return this.queryFirst(
      `SELECT id, opted_out, at FROM opt_outs WHERE phone_number = ?1 OR phone_number IN (${otherDigitsOf('?1')})
         ORDER BY at DESC, id DESC LIMIT 1`,
      person,
    );
  }
}
