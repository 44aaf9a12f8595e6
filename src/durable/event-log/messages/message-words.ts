import type { MessageContent } from '../../../contract/messages/content.ts';
import { indexedText, matchOf, phrasesOf } from '../../search-terms.ts';
import { Tables } from '../../storage/rows.ts';
import { LogState } from '../log-state.ts';
import { wordsOf } from './content-words.ts';

/** Messages that are indexed in one go: as many as take a few milliseconds. */
const batchRows = 500;
const tablePrefix = 'message_terms_';

/** Marks for logs older than release 0.1.0, of which there are none. */
export const messageTermsSql = `
  -- What is indexed in message_words_* goes into message_terms_*, the newest first: what is up to formerUpTo is there still.
  INSERT INTO log_state (name, json) SELECT 'terms.indexedUpTo', json FROM log_state WHERE name = 'words.indexedUpTo';
  INSERT INTO log_state (name, json) SELECT 'terms.formerUpTo', json FROM log_state WHERE name = 'words.indexedUpTo';
`;

/** The month of a message, as it stands in the name of its index: 202601. */
const monthOf = (id: number): string => new Date(id / 1000).toISOString().slice(0, 7).replace('-', '');

/** The ids of a month's messages: from `first` on, and below `end`. */
function idsOf(month: string): { first: number; end: number } {
  const [year, index] = [Number(month.slice(0, 4)), Number(month.slice(4)) - 1];
  return { first: Date.UTC(year, index) * 1000, end: Date.UTC(year, index + 1) * 1000 };
}

/**
 * Finds messages by their words. There is one index for each month, so that an old one can be dropped as a whole. Messages are
 * indexed in batches, since a batch costs little more than one message. Everything up to a mark is indexed; the rest, less
 * than a batch, is indexed before a search.
 */
export class MessageWords extends Tables {
  readonly #storage: DurableObjectStorage;
  readonly #state: LogState;
  /** All messages up to this id are indexed. */
  #indexedUpTo = 0;
  /** How many wait, as far as it matters. */
  #waiting = 0;
  /** Those that have an index. */
  readonly #months = new Set<string>();

  constructor(storage: DurableObjectStorage) {
    super(storage.sql);
    this.#storage = storage;
    this.#state = new LogState(storage.sql);
    this.reload();
  }

  /** A message was stored: call it inside that transaction. */
  note(id: number, content: MessageContent): void {
    // What came late goes in by itself: the mark has passed it.
    if (id <= this.#indexedUpTo) this.#index(id, content);
    else this.#waiting += 1;
  }

  /** A message was changed: call it inside that transaction. One that still waits is indexed as it is then. */
  replace(id: number, before: MessageContent, after: MessageContent): void {
    if (id > this.#indexedUpTo) return;
    const month = monthOf(id);
    const words = indexedText(wordsOf(before));
    if (words !== '' && this.#months.has(month)) {
      const table = `${tablePrefix}${month}`;
      this.sql.exec(`INSERT INTO ${table} (${table}, rowid, text) VALUES ('delete', ?, ?)`, id, words);
    }
    this.#index(id, after);
  }

  /** When the next batch is to be indexed: at once where there is a whole one; null while there is none. */
  dueAt(): number | null {
    return this.#waiting < batchRows ? null : 0;
  }

  /**
   * The ids of the messages from `from` to below `below` that have all these words, newest first. Read it to its end, or stop,
   * before anything else is written.
   */
  *find(words: string, from: number, below: number): Generator<number> {
    while (this.#waiting > 0) this.indexBatch();
    const match = phrasesOf(words)
      .map((phrase) => matchOf(phrase))
      .join(' ');
    if (match === '') return;
    for (const month of [...this.#months].sort().reverse()) {
      const { first, end } = idsOf(month);
      if (first >= below || end <= from) continue;
      const hits = this.sql.exec<{ rowid: number }>(
        `SELECT rowid FROM ${tablePrefix}${month}
         WHERE ${tablePrefix}${month} MATCH ? AND rowid >= ? AND rowid < ? ORDER BY rowid DESC`,
        match,
        from,
        below,
      );
      for (const { rowid } of hits) yield rowid;
    }
  }

  /** Forgets the words of the months that end at or before this id. */
  dropBefore(id: number): void {
    for (const month of this.#months) {
      if (idsOf(month).end > id) continue;
      this.sql.exec(`DROP TABLE ${tablePrefix}${month}`);
      this.#months.delete(month);
    }
  }

  /** At the beginning of a life, and after a transaction that was rolled back. */
  reload(): void {
    this.#indexedUpTo = this.#state.get('terms.indexedUpTo') ?? 0;
    this.#months.clear();
    const query = `SELECT name FROM sqlite_master WHERE name GLOB '${tablePrefix}??????'`;
    for (const name of this.queryValues<string>(query)) this.#months.add(name.slice(tablePrefix.length));
    this.#countWaiting();
  }

  #countWaiting(): void {
    const query = 'SELECT count(*) AS n FROM (SELECT id FROM messages WHERE id > ? LIMIT ?)';
    this.#waiting = this.queryOne<{ n: number }>(query, this.#indexedUpTo, batchRows).n;
  }

  indexBatch(): void {
    this.#storage.transactionSync(() => {
      const rows = this.queryAll<{ id: number; content: string }>(
        'SELECT id, content FROM messages WHERE id > ? ORDER BY id LIMIT ?',
        this.#indexedUpTo,
        batchRows,
      );
      for (const { id, content } of rows) this.#index(id, JSON.parse(content));
      this.#indexedUpTo = rows.at(-1)?.id ?? this.#indexedUpTo;
      this.#state.put('terms.indexedUpTo', this.#indexedUpTo);
    });
    this.#countWaiting();
  }

  #index(id: number, content: MessageContent): void {
    const text = indexedText(wordsOf(content));
    if (text === '') return;
    const month = monthOf(id);
    if (!this.#months.has(month)) {
      this.sql.exec(
        `CREATE VIRTUAL TABLE ${tablePrefix}${month} USING fts5(text, content='', columnsize=0,
           tokenize="unicode61 remove_diacritics 2")`,
      );
      this.#months.add(month);
    }
    this.sql.exec(`INSERT INTO ${tablePrefix}${month} (rowid, text) VALUES (?, ?)`, id, text);
  }
}
