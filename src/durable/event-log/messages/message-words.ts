import type { MessageContent } from '../../../contract/messages/content.ts';
import { indexedText, matchOf, phrasesOf } from '../../search/search-terms.ts';
import { LogState } from '../log-state.ts';
import { wordsOf } from './words-of.ts';

/** Messages that are indexed in one go: as many as take a few milliseconds. */
const batchRows = 500;
const tablePrefix = 'message_terms_';
/** Under the same words as they were written: what an earlier release has indexed, until it is indexed anew. */
const formerPrefix = 'message_words_';

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

/** The indexes of the months, of one kind. */
interface Index {
  prefix: string;
  months: Set<string>;
  wordsOf: (content: MessageContent) => string;
}

/**
 * Finds messages by their words. An index a month, so that an old one can be dropped whole. Messages are indexed in
 * batches, since a batch costs little more than one message: all up to a mark are in, and what waits behind the mark, less
 * than a batch, is brought in before anybody searches. What an earlier release has indexed is found as it was until it is
 * indexed anew, in batches too, from the newest to the oldest.
 */
export class MessageWords {
  readonly #storage: DurableObjectStorage;
  readonly #sql: SqlStorage;
  readonly #state: LogState;
  /** All messages up to this id are indexed. */
  #indexedUpTo = 0;
  /** All up to this id are so by an earlier release; 0: none. */
  #formerUpTo = 0;
  /** How many wait, as far as it matters. */
  #waiting = 0;
  readonly #now: Index = {
    prefix: tablePrefix,
    months: new Set(),
    wordsOf: (content) => indexedText(wordsOf(content)),
  };
  readonly #former: Index = { prefix: formerPrefix, months: new Set(), wordsOf };

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#sql = storage.sql;
    this.#state = new LogState(storage.sql);
    this.reload();
  }

  /** A message was stored: call it inside that transaction. */
  note(id: number, content: MessageContent): void {
    // What came late goes in by itself: the mark has passed it.
    if (id <= this.#formerUpTo) this.#index(this.#former, id, content);
    else if (id <= this.#indexedUpTo) this.#index(this.#now, id, content);
    else this.#waiting += 1;
  }

  /** A message was changed: call it inside that transaction. One that still waits is indexed as it is then. */
  replace(id: number, before: MessageContent, after: MessageContent): void {
    if (id > this.#indexedUpTo) return;
    const index = id <= this.#formerUpTo ? this.#former : this.#now;
    const month = monthOf(id);
    const words = index.wordsOf(before);
    if (words !== '' && index.months.has(month)) {
      const table = `${index.prefix}${month}`;
      this.#sql.exec(`INSERT INTO ${table} (${table}, rowid, text) VALUES ('delete', ?, ?)`, id, words);
    }
    this.#index(index, id, after);
  }

  /** When the next batch is to be indexed: at once where there is a whole one; null while there is none. */
  dueAt(): number | null {
    return this.#waiting < batchRows && this.#formerUpTo === 0 ? null : 0;
  }

  /** Indexes the batches that are whole, and lets others in between. */
  async run(): Promise<void> {
    while (this.#waiting >= batchRows) {
      this.#indexBatch();
      await scheduler.wait(0);
    }
    while (this.#formerUpTo > 0) {
      this.#indexAnew();
      await scheduler.wait(0);
    }
  }

  /**
   * The ids of the messages below `below`, and from `from` on, that have all these words, newest first. Must be read to
   * its end, or left, before anything else is written.
   */
  *find(words: string, from: number, below: number): Generator<number> {
    while (this.#waiting > 0) this.#indexBatch();
    const match = phrasesOf(words)
      .map((phrase) => matchOf(phrase))
      .join(' ');
    if (match === '') return;
    const former = this.#formerUpTo + 1;
    yield* this.#findIn(this.#now, match, Math.max(from, former), below);
    if (former === 1) return;
    const asWritten = words
      .split(/\s+/)
      .filter((word) => /[\p{L}\p{N}]/u.test(word))
      .map((word) => `"${word.replaceAll('"', '""')}"`)
      .join(' ');
    yield* this.#findIn(this.#former, asWritten, from, Math.min(below, former));
  }

  *#findIn({ prefix, months }: Index, match: string, from: number, below: number): Generator<number> {
    for (const month of [...months].sort().reverse()) {
      const { first, end } = idsOf(month);
      if (first >= below || end <= from) continue;
      const hits = this.#sql.exec<{ rowid: number }>(
        `SELECT rowid FROM ${prefix}${month}
         WHERE ${prefix}${month} MATCH ? AND rowid >= ? AND rowid < ? ORDER BY rowid DESC`,
        match,
        from,
        below,
      );
      for (const { rowid } of hits) yield rowid;
    }
  }

  /** Forgets the words of the months that end at or before this id. */
  dropBefore(id: number): void {
    this.#drop(this.#now, (month) => idsOf(month).end <= id);
    this.#drop(this.#former, (month) => idsOf(month).end <= id);
  }

  #drop({ prefix, months }: Index, isOver: (month: string) => boolean): void {
    for (const month of months) {
      if (!isOver(month)) continue;
      this.#sql.exec(`DROP TABLE ${prefix}${month}`);
      months.delete(month);
    }
  }

  /** At the beginning of a life, and after a transaction that was rolled back. */
  reload(): void {
    this.#indexedUpTo = this.#state.get('terms.indexedUpTo') ?? 0;
    this.#formerUpTo = this.#state.get('terms.formerUpTo') ?? 0;
    for (const { prefix, months } of [this.#now, this.#former]) {
      months.clear();
      const tables = this.#sql
        .exec<{ name: string }>(`SELECT name FROM sqlite_master WHERE name GLOB '${prefix}??????'`)
        .toArray();
      for (const { name } of tables) months.add(name.slice(prefix.length));
    }
    this.#countWaiting();
  }

  #countWaiting(): void {
    const query = 'SELECT count(*) AS n FROM (SELECT id FROM messages WHERE id > ? LIMIT ?)';
    this.#waiting = this.#sql.exec<{ n: number }>(query, this.#indexedUpTo, batchRows).one().n;
  }

  #indexBatch(): void {
    this.#storage.transactionSync(() => {
      const rows = this.#sql
        .exec<{ id: number; content: string }>(
          'SELECT id, content FROM messages WHERE id > ? ORDER BY id LIMIT ?',
          this.#indexedUpTo,
          batchRows,
        )
        .toArray();
      for (const { id, content } of rows) this.#index(this.#now, id, JSON.parse(content));
      this.#indexedUpTo = rows.at(-1)?.id ?? this.#indexedUpTo;
      this.#state.put('terms.indexedUpTo', this.#indexedUpTo);
    });
    this.#countWaiting();
  }

  /** The newest messages that are indexed as an earlier release did. Its indexes go as they are emptied. */
  #indexAnew(): void {
    this.#storage.transactionSync(() => {
      const rows = this.#sql
        .exec<{ id: number; content: string }>(
          'SELECT id, content FROM messages WHERE id <= ? ORDER BY id DESC LIMIT ?',
          this.#formerUpTo,
          batchRows,
        )
        .toArray();
      // Upwards, as an index takes them best.
      for (const { id, content } of rows.toReversed()) this.#index(this.#now, id, JSON.parse(content));
      this.#formerUpTo = rows.length < batchRows ? 0 : (rows.at(-1)?.id ?? 1) - 1;
      this.#drop(this.#former, (month) => idsOf(month).first > this.#formerUpTo);
      this.#state.put('terms.formerUpTo', this.#formerUpTo);
    });
  }

  #index({ prefix, months, wordsOf: words }: Index, id: number, content: MessageContent): void {
    const text = words(content);
    if (text === '') return;
    const month = monthOf(id);
    if (!months.has(month)) {
      this.#sql.exec(
        `CREATE VIRTUAL TABLE ${prefix}${month} USING fts5(text, content='', columnsize=0,
           tokenize="unicode61 remove_diacritics 2")`,
      );
      months.add(month);
    }
    this.#sql.exec(`INSERT INTO ${prefix}${month} (rowid, text) VALUES (?, ?)`, id, text);
  }
}
