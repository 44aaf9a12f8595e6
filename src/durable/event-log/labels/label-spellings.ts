import { distinctLabels } from '../../../contract/contacts/contact.ts';
import { comparableText } from '../../../contract/texts/text.ts';
import { Tables } from '../../storage/rows.ts';

export const labelSpellingsSql = `
  -- How labels are spelled. bearers: the table of who has them. key: the label as it is compared with others.
  CREATE TABLE label_spellings (
    id INTEGER PRIMARY KEY,
    bearers TEXT NOT NULL,
    key TEXT NOT NULL,
    label TEXT NOT NULL,
    UNIQUE (bearers, label)
  );
  CREATE INDEX label_spellings_by_key ON label_spellings (bearers, key);
`;

/**
 * Labels that differ by case alone are one label, and the spelling that somebody has already stands. Earlier code stored each
 * spelling, so one label can have several, which are all found.
 */
export class LabelSpellings extends Tables {
  readonly #bearers: 'contact_labels' | 'conversation_labels';

  constructor(sql: SqlStorage, bearers: 'contact_labels' | 'conversation_labels') {
    super(sql);
    this.#bearers = bearers;
  }

  /** The labels as they are to be stored, each once. Call inside the transaction that stores them. */
  spelled(labels: readonly string[]): string[] {
    return distinctLabels(labels).map((label) => this.#spelled(label));
  }

  /** All spellings that are or were stored of a label, with that of the question. */
  of(label: string): string[] {
    return [...new Set([label, ...this.#known(comparableText(label))])];
  }

  /** Labels that somebody has, in order. */
  used(limit: number): string[] {
    // From one to the next along the index: how many have each is not looked at.
    return this.queryValues<string>(
      `WITH RECURSIVE names(label) AS (
           SELECT min(label) FROM ${this.#bearers}
           UNION ALL
           SELECT (SELECT min(label) FROM ${this.#bearers} WHERE label > names.label) FROM names
           WHERE names.label IS NOT NULL LIMIT ?
         ) SELECT label FROM names WHERE label IS NOT NULL`,
      limit,
    );
  }

  #spelled(label: string): string {
    const key = comparableText(label);
    const known = this.#known(key);
    const inUse = `SELECT 1 FROM ${this.#bearers} WHERE label = ? LIMIT 1`;
    const standing = known.find((one) => this.queryAny(inUse, one));
    if (standing !== undefined) return standing;
    this.sql.exec('DELETE FROM label_spellings WHERE bearers = ? AND key = ?', this.#bearers, key);
    this.#note(key, label);
    return label;
  }

  #known(key: string): string[] {
    this.#noteEarlier();
    const query = 'SELECT label FROM label_spellings WHERE bearers = ? AND key = ? ORDER BY id';
    return this.queryValues<string>(query, this.#bearers, key);
  }

  #note(key: string, label: string): void {
    this.sql.exec(
      'INSERT OR IGNORE INTO label_spellings (bearers, key, label) VALUES (?, ?, ?)',
      ...[this.#bearers, key, label],
    );
  }

  /** Notes once what earlier code has stored. */
  #noteEarlier(): void {
    if (this.queryAny('SELECT 1 FROM label_spellings WHERE bearers = ? LIMIT 1', this.#bearers)) return;
    for (const label of this.used(-1)) this.#note(comparableText(label), label);
  }
}
