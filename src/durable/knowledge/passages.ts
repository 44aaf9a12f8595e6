import { indexedText, phraseOf } from '../search-terms.ts';
import { Tables } from '../storage/rows.ts';
import type { Chunk, Passage } from './document.ts';

type Row = {
  document_id: string;
  name: string;
  url: string | null;
  document_url: string | null;
  heading: string;
  text: string;
};

/** What is indexed of a piece. */
type ChunkRow = { id: number; owner: string; heading: string; text: string };

type Found = { id: number; rank: number };

/** Pieces of the order by words that are looked at where there is another order beside it. */
const fusedMax = 20;

/** Places of the decimal point that tell apart what is next to each other in an order. */
const rounded = (score: number) => Math.round(score * 100_000) / 100_000;

/** A word in a heading says more than one in the text; whose it is says nothing. */
const ranking = 'bm25(0.0, 3.0, 1.0)';

/** A word that stands in so many pieces is a common one; so many of those are looked for where there are no others. */
const commonFrom = 1_000;
const commonMax = 2;

/** The pieces of all documents, and the index over their words. */
export class Passages extends Tables {
  /** Call it inside a transaction, as what follows. */
  replace(document: number, assistantId: string, chunks: readonly Chunk[]): void {
    this.remove(document);
    const owner = ownerWord(assistantId);
    for (const { url, heading, text } of chunks) {
      const { id } = this.queryOne<{ id: number }>(
        'INSERT INTO chunks (document, owner, url, heading, text, form) VALUES (?, ?, ?, ?, ?, 1) RETURNING id',
        ...[document, owner, url, heading, text],
      );
      this.#index({ id, owner, heading, text });
    }
  }

  remove(document: number): void {
    const query = 'SELECT id, owner, heading, text FROM chunks WHERE document = ?';
    for (const chunk of this.queryAll<ChunkRow>(query, document)) this.#takeOut(chunk);
    this.sql.exec('DELETE FROM chunks WHERE document = ?', document);
  }

  #index({ id, owner, heading, text }: ChunkRow): void {
    this.sql.exec(
      'INSERT INTO chunk_words (rowid, owner, heading, text) VALUES (?, ?, ?, ?)',
      ...[id, owner, indexedText(heading), indexedText(text)],
    );
  }

  /** The index has no text of its own: it is told which words go. */
  #takeOut({ id, owner, heading, text }: ChunkRow): void {
    this.sql.exec(
      "INSERT INTO chunk_words (chunk_words, rowid, owner, heading, text) VALUES ('delete', ?, ?, ?, ?)",
      ...[id, owner, indexedText(heading), indexedText(text)],
    );
  }

  /** The best first. `nearest`: pieces that are near in meaning, the nearest first; without any, words alone decide. */
  search(assistantId: string, words: string, limit: number, nearest: readonly number[] = []): Passage[] {
    const byWords = this.#byWords(assistantId, words, nearest.length === 0 ? limit : fusedMax);
    if (nearest.length === 0) return this.#read(byWords.map(({ id, rank }) => ({ id, score: -rank })));
    return this.#read(fused([byWords.map(({ id }) => id), nearest]).slice(0, limit));
  }

  #byWords(assistantId: string, words: string, limit: number): Found[] {
    const owner = ownerWord(assistantId);
    const terms = this.#tellingTerms(termsOf(words), owner);
    if (terms.length === 0) return [];
    return this.queryAll<Found>(
      `SELECT rowid AS id, rank FROM chunk_words WHERE chunk_words MATCH ? AND rank MATCH '${ranking}'
           ORDER BY rank LIMIT ?`,
      ...[matchOfTerms(terms, owner), limit],
    );
  }

  /** In the order in which they are given; what is gone is left out. */
  #read(found: readonly { id: number; score: number }[]): Passage[] {
    return found.flatMap(({ id, score }) =>
      this.queryAll<Row>(
        `SELECT d.document_id, d.name, c.url, d.url AS document_url, c.heading, c.text
             FROM chunks c JOIN documents d ON d.id = c.document WHERE c.id = ?`,
        id,
      ).map((row) => ({
        documentId: row.document_id,
        name: row.name,
        url: row.url ?? row.document_url,
        heading: row.heading,
        text: row.text,
        score: rounded(score),
      })),
    );
  }

  /**
   * In a large index, leaves out words that are in very many pieces: they say little and take most of the time. If all words
   * are that common, the first ones stay.
   */
  #tellingTerms(terms: string[], owner: string): string[] {
    if (terms.length < 2 || this.count <= commonFrom) return terms;
    const query = 'SELECT count(*) AS n FROM (SELECT 1 FROM chunk_words WHERE chunk_words MATCH ? LIMIT ?)';
    const found = (term: string) =>
      this.queryOne<{ n: number }>(query, matchOfTerms([term], owner), commonFrom).n;
    const counted = terms.map((term) => ({ term, count: found(term) })).filter(({ count }) => count > 0);
    const rare = counted.filter(({ count }) => count < commonFrom);
    return (rare.length > 0 ? rare : counted.slice(0, commonMax)).map(({ term }) => term);
  }

  get count(): number {
    return this.queryOne<{ n: number }>('SELECT count(*) AS n FROM chunks').n;
  }
}

/** How much less a place counts than the one before it: the value that the method was published with. */
const flatness = 60;

/**
 * Merges several rankings into one (reciprocal rank fusion): what is high in one of them, or fairly high in all, comes first.
 * Their own scores are not compared, since they have different meanings.
 */
function fused(orders: readonly (readonly number[])[]): { id: number; score: number }[] {
  const scores = new Map<number, number>();
  for (const order of orders) {
    for (const [place, id] of order.entries()) {
      scores.set(id, (scores.get(id) ?? 0) + 1 / (flatness + place + 1));
    }
  }
  return [...scores].map(([id, score]) => ({ id, score })).sort((a, b) => b.score - a.score || a.id - b.id);
}

/** Words that say nothing of what is looked for, in the languages of the dashboard. */
const fillerWords = new Set(
  `a an and are as at be but by can could do does for from had has have how i if in is it its me my of on or our so that
  the their them there they this to us was we were what when where which who why will with would you your please hello hi
  thanks el la los las un una unos unas y o de del al a en es son por para con que como cuando donde quien su sus mi mis
  me te se lo le les hola gracias favor o os as um uma e do da dos das no na nos nas em por para com que como quando onde
  quem seu sua meu minha ola obrigado yang dan di ke dari untuk dengan ini itu ada saya kamu anda apa apakah bagaimana
  kapan mana siapa adalah tidak ya halo terima kasih bisa`
    .split(/\s+/)
    .filter(Boolean),
);

/** More words than these make a search slower and no better. */
const wordsMax = 16;
/** Endings are left open from this length on, so that "refund" finds "refunds", and "refunds" finds "refund". */
const stemFrom = 5;

/** A query of FTS5 within one owner's pieces: any of the terms will do, and the ranking puts those first that have more. */
const matchOfTerms = (terms: readonly string[], owner: string): string =>
  `owner : "${owner}" AND {heading text} : (${terms.join(' OR ')})`;

/** The words that tell what is looked for, each as a term of FTS5. */
function termsOf(written: string): string[] {
  const words = [...new Set((written.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).flatMap(wordsIn))];
  const telling = words.filter(
    (word) => !fillerWords.has(word) && (word.length > 1 || /\p{N}|\p{Lo}/u.test(word)),
  );
  return (telling.length > 0 ? telling : words).slice(0, wordsMax).map(termOf);
}

/** A word; of a script without spaces its pairs of letters, and of one letter all pairs that begin with it: `票*`. */
function wordsIn(written: string): string[] {
  const phrase = phraseOf(written);
  if (phrase === null) return [];
  return phrase.terms.map((term, index) =>
    phrase.isPrefix && index === phrase.terms.length - 1 ? `${term}*` : term,
  );
}

function termOf(word: string): string {
  if (word.endsWith('*')) return `"${word.slice(0, -1)}" *`;
  if (word.length < stemFrom || /\p{N}/u.test(word)) return `"${word}"`;
  return `"${word.slice(0, Math.max(4, word.length - 2))}" *`;
}

/** An assistant's id as one word of the index. */
export const ownerWord = (assistantId: string): string => `a${assistantId.replaceAll('-', '')}`;
