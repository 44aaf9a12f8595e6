import { getCountries, getCountryCallingCode } from 'libphonenumber-js/min';
import type { AttributeValue, ContactAttributes } from '../../../contract/contacts/attributes.ts';
import {
  type AttributeCondition,
  type ContactFilter,
  searchSeparator,
} from '../../../contract/contacts/contact-filter.ts';
import { ownValue } from '../../../contract/given.ts';
import { comparableText } from '../../../contract/texts/text.ts';
import { dayMs } from '../../../contract/times.ts';
import { matchOf as phraseMatch, phrasesOf } from '../../search-terms.ts';
import { Tables } from '../../storage/rows.ts';
import { LabelSpellings } from '../labels/label-spellings.ts';
import { type Contact, type ContactRow, contactOf } from './contact.ts';

/** A phone number or a part of one, in any usual writing: nothing but digits and what people write between them. */
const phoneLike = /^[+\d\s().\-/\u00a0\u2010-\u2015]+$/;
const invisible = /\p{Default_Ignorable_Code_Point}/gu;
/** Fewer digits than that are a part of many numbers. */
const digitsMin = 5;

const callingCodes = [...new Set(getCountries().map((country) => getCountryCallingCode(country)))];

/**
 * The possible digits, with country code, of a phone number or the beginning of one as people write it. Without a country code
 * it can belong to any country. Null: it is no phone number.
 */
export function phoneDigitsOf(q: string): string[] | null {
  const text = q.replaceAll(invisible, '').trim();
  const digits = text.replaceAll(/\D/g, '');
  if (!phoneLike.test(text) || digits.length < digitsMin) return null;
  if (text.startsWith('+')) return [digits];
  if (digits.startsWith('00')) return [digits.slice(2)];
  // A zero in front is that of the country's own calls.
  const national = digits.replace(/^0/, '');
  return [digits, ...callingCodes.map((code) => `${code}${national}`)];
}

/** What finds contacts by digits with country code, as their words hold them, for FTS5. */
const phoneMatchOf = (allDigits: readonly string[]): string =>
  allDigits.map((digits) => `"${digits}"*`).join(' OR ');

/** Whether all conditions hold of these attributes. */
export const meetsConditions = (
  attributes: ContactAttributes,
  conditions: readonly AttributeCondition[],
): boolean => conditions.every((condition) => holds(ownValue(attributes, condition.name), condition));

function holds(actual: AttributeValue | undefined, { operator, value }: AttributeCondition): boolean {
  switch (operator) {
    case 'exists':
      return actual !== undefined;
    case 'missing':
      return actual === undefined;
    case 'equals':
      return isEqual(actual, value);
    case 'not_equals':
      return !isEqual(actual, value);
    case 'contains':
      return actual !== undefined && folded(actual).includes(folded(value ?? ''));
    case 'less':
      return order(actual, value) < 0;
    case 'greater':
      return order(actual, value) > 0;
  }
}

const folded = (value: AttributeValue): string => comparableText(String(value));

/** A condition out of an address says everything in text: `3` is the number 3 there. */
const isEqual = (actual: AttributeValue | undefined, value: AttributeValue | undefined): boolean =>
  actual !== undefined && value !== undefined && folded(actual) === folded(value);

/** Below 0, 0, above 0; not a number where the two cannot be compared. */
function order(actual: AttributeValue | undefined, value: AttributeValue | undefined): number {
  if (actual === undefined || value === undefined || typeof actual === 'boolean') return Number.NaN;
  if (typeof actual === 'number') return actual - Number(value);
  const [one, other] = [folded(actual), folded(value)];
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Contacts that are looked at for one page at most: a page may be short, also empty, and goes on behind its cursor. */
const rowsReadMax = 10_000;
/** Of these, where each one's attributes have to be read. */
const attributesReadMax = 2_500;
/** So many of them at a time. */
const stepRows = 500;

export interface ContactPage {
  contacts: Contact[];
  /** Where the next page goes on; null at the end. */
  next: string | null;
}

interface Asked {
  limit: number;
  /** The contact before the page, also one that is gone; null for the first page. */
  after: string | null;
  order: 'newest first' | 'oldest first';
  now: number;
}

type Candidate = { id: number; contact_id: string };

/** Finds contacts. Whatever is asked for, a page costs no more than {@link rowsReadMax} contacts, however many there are. */
export class ContactSearch extends Tables {
  readonly #spellings: LabelSpellings;

  constructor(sql: SqlStorage) {
    super(sql);
    this.#spellings = new LabelSpellings(sql, 'contact_labels');
  }

  page(filter: ContactFilter, asked: Asked): ContactPage {
    const found = this.#pageByWords(filter, asked);
    const isFirst = asked.after === null && found.contacts.length === 0;
    return isFirst && filter.q !== undefined
      ? { ...found, contacts: this.#byAlias(filter, asked.now) }
      : found;
  }

  /** Whoever has the alias that is searched for: who hides their phone number is told of by it. */
  #byAlias({ q = '', ...filter }: ContactFilter, now: number): Contact[] {
    return [...this.#sifted('lid = ?', q.trim(), filter, this.#conditionsOf(filter, now, 'all labels'))];
  }

  #pageByWords(filter: ContactFilter, asked: Asked): ContactPage {
    const { limit } = asked;
    const match = filter.q === undefined ? null : this.#matchOf(filter.q);
    const contacts: Contact[] = [];
    let { after } = asked;
    if (match === '') return { contacts, next: null };
    const conditions = this.#conditionsOf(
      filter,
      asked.now,
      filter.q === undefined ? 'first label known' : 'all labels',
    );
    const isSifted = conditions.sql.length > 0 || filter.attributes !== undefined;
    const step = isSifted ? Math.max(stepRows, limit + 1) : limit + 1;
    const readMax = filter.attributes === undefined ? rowsReadMax : attributesReadMax;
    for (let read = 0; read < readMax; read += step) {
      const candidates = this.#candidates(filter, match, { ...asked, after, limit: step });
      const order = `${match === null ? 'contact_id' : 'id'} ${asked.order === 'newest first' ? 'DESC' : 'ASC'}`;
      const ids = JSON.stringify(candidates.map(({ id }) => id));
      for (const contact of this.#sifted(`id ${inList}`, ids, filter, conditions, order)) {
        if (contacts.length === limit) return { contacts, next: contacts.at(-1)?.contactId ?? null };
        contacts.push(contact);
      }
      if (candidates.length < step) return { contacts, next: null };
      after = candidates.at(-1)?.contact_id ?? null;
    }
    return { contacts, next: after };
  }

  /** Those of these contacts that fit the filter, in no order. */
  among(contactIds: readonly string[], filter: ContactFilter, now: number): Contact[] {
    const conditions = this.#conditionsOf(filter, now, 'all labels');
    const match = filter.q === undefined ? null : this.#matchOf(filter.q);
    if (match !== null) {
      conditions.sql.push('id IN (SELECT rowid FROM contact_words WHERE contact_words MATCH ?)');
      conditions.values.push(match);
    }
    if (match === '') return [];
    return [...this.#sifted(`contact_id ${inList}`, JSON.stringify(contactIds), filter, conditions)];
  }

  /** What finds all that is searched for; empty where there is nothing to look for. */
  #matchOf(q: string): string {
    const matches = q
      .split(searchSeparator)
      .map((one) => this.#matchOfOne(one))
      .filter((match) => match !== '');
    return matches.length < 2 ? matches.join('') : matches.map((match) => `(${match})`).join(' AND ');
  }

  /** Each word as a prefix. A phone number as it was dialled, or as the network has it. */
  #matchOfOne(q: string): string {
    const digits = phoneDigitsOf(q);
    if (digits === null) {
      return phrasesOf(q)
        .map((phrase) => phraseMatch(phrase, true))
        .join(' ');
    }
    const query = `SELECT DISTINCT phone FROM dialled_numbers WHERE dialled ${inList}`;
    return phoneMatchOf([...digits, ...this.queryValues<string>(query, JSON.stringify(digits))]);
  }

  /** All that the filter may mean, and more, along the index that leads furthest. */
  #candidates(filter: ContactFilter, match: string | null, asked: Asked): Candidate[] {
    const { limit, after, order } = asked;
    const isDown = order === 'newest first';
    const [compared, direction] = isDown ? ['<', 'DESC'] : ['>', 'ASC'];
    const place = after ?? (isDown ? '\uffff' : '');
    if (match !== null) {
      return this.queryAll<Candidate>(
        `SELECT w.rowid AS id, c.contact_id FROM contact_words AS w CROSS JOIN contacts AS c ON c.id = w.rowid
           WHERE contact_words MATCH ? AND w.rowid ${compared} ? ORDER BY w.rowid ${direction} LIMIT ?`,
        ...[match, this.#idBeside(after, isDown), limit],
      );
    }
    const [label] = filter.labels ?? [];
    if (label !== undefined) {
      // Each spelling along the index by itself: together they would all be read and sorted.
      const one = `SELECT * FROM (SELECT c.id, l.contact_id FROM contact_labels AS l
           CROSS JOIN contacts AS c ON c.contact_id = l.contact_id
           WHERE l.label = ? AND l.contact_id ${compared} ? ORDER BY l.contact_id ${direction} LIMIT ?)`;
      const spellings = this.#spellings.of(label);
      return this.queryAll<Candidate>(
        `${spellings.map(() => one).join(' UNION ')} ORDER BY contact_id ${direction} LIMIT ?`,
        ...spellings.flatMap((spelling) => [spelling, place, limit]),
        limit,
      );
    }
    return this.queryAll<Candidate>(
      `SELECT id, contact_id FROM contacts WHERE contact_id ${compared} ? ORDER BY contact_id ${direction} LIMIT ?`,
      ...[place, limit],
    );
  }

  /** Those of some contacts that meet the conditions, those on attributes too. */
  *#sifted(
    which: string,
    value: string,
    { attributes = [] }: ContactFilter,
    { sql, values }: Conditions,
    order = 'id',
  ): Generator<Contact> {
    const rows = this.queryAll<ContactRow>(
      `SELECT * FROM contacts WHERE ${[which, ...sql].join(' AND ')} ORDER BY ${order}`,
      ...[value, ...values],
    );
    for (const row of rows) {
      if (attributes.length === 0 || meetsConditions(JSON.parse(row.attributes), attributes))
        yield contactOf(row);
    }
  }

  /**
   * Words are known by the number of their contact's row. It rises as its id does, but for a contact that was parted from another
   * one again: that has a new row.
   */
  #idBeside(contactId: string | null, isDown: boolean): number {
    if (contactId === null) return isDown ? Number.MAX_SAFE_INTEGER : 0;
    const [compared, direction] = isDown ? ['>=', 'ASC'] : ['<=', 'DESC'];
    const id = this.queryValue<number>(
      `SELECT id FROM contacts WHERE contact_id ${compared} ? ORDER BY contact_id ${direction} LIMIT 1`,
      contactId,
    );
    return id ?? (isDown ? Number.MAX_SAFE_INTEGER : 0);
  }

  /** What a row must meet, but for the words, perhaps the first label, and attributes. */
  #conditionsOf(filter: ContactFilter, now: number, which: 'all labels' | 'first label known'): Conditions {
    const { labels = [], countries, seenWithinDays, notSeenForDays, hasWritten } = filter;
    const all: [sql: string, ...values: SqlStorageValue[]][] = [];
    for (const label of which === 'all labels' ? labels : labels.slice(1)) {
      all.push([
        `EXISTS (SELECT 1 FROM contact_labels AS l
           WHERE l.label ${inList} AND l.contact_id = contacts.contact_id)`,
        JSON.stringify(this.#spellings.of(label)),
      ]);
    }
    if (countries !== undefined) all.push([`country ${inList}`, JSON.stringify(countries)]);
    if (seenWithinDays !== undefined) all.push(['last_inbound_at >= ?', now - seenWithinDays * dayMs]);
    if (notSeenForDays !== undefined)
      all.push(['coalesce(last_inbound_at, 0) < ?', now - notSeenForDays * dayMs]);
    if (hasWritten !== undefined) all.push([`last_inbound_at IS ${hasWritten ? 'NOT ' : ''}NULL`]);
    return { sql: all.map(([sql]) => sql), values: all.flatMap(([, ...values]) => values) };
  }
}

const inList = 'IN (SELECT value FROM json_each(?))';

interface Conditions {
  sql: string[];
  values: SqlStorageValue[];
}
