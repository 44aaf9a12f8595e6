import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { indexedText, matchOf, phrasesOf } from '../../src/durable/search-terms.ts';
import type { BenchLine, Figure } from '../runner/line.ts';
import { median } from '../runner/results.ts';

const texts = 20_000;
const searches = 200;
/** As a log indexes them. */
const batch = 500;

interface Language {
  name: string;
  text: (index: number) => string;
  queries: string[];
}

const words =
  'your,order,has left our house,today,thank you,for the,invoice,we will,deliver it,tomorrow morning,please,call us'.split(
    ',',
  );
const parts =
  '请,给我,开一张,发票,谢谢,您的,订单,已经,从仓库,发出,明天,上午,送到,如果,有问题,可以,联系,客服电话'.split(
    ',',
  );

/** The same each time. */
function some(list: readonly string[], seed: number, count: number, between: string): string {
  let state = seed + 1;
  return Array.from({ length: count }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return list[Math.floor((state / 2_147_483_648) * list.length)];
  }).join(between);
}

const languages: Language[] = [
  {
    name: 'Latin letters',
    text: (index) => `Order ${index}: ${some(words, index, 9, ' ')}.`,
    queries: ['invoice', 'order 1234', 'thank you', 'tomorrow morning'],
  },
  {
    name: 'Chinese',
    text: (index) => `订单${index}，${some(parts, index, 13, '')}。`,
    queries: ['发票', '订单1234', '谢谢', '客服电话'],
  },
];

/** What the index takes of each text, and what it is asked. */
interface Way {
  indexed: (text: string) => string;
  asked: (q: string) => string;
}

const ours: Way = {
  indexed: indexedText,
  asked: (q) =>
    phrasesOf(q)
      .map((phrase) => matchOf(phrase))
      .join(' '),
};
const asWritten: Way = {
  indexed: (text) => text,
  asked: (q) =>
    q
      .split(' ')
      .map((word) => `"${word}"`)
      .join(' '),
};

export const line: BenchLine = {
  name: 'word-index',
  question: `What does the index over the words of ${texts.toLocaleString('en')} messages weigh and take, by language?`,
  leftOut:
    'The object around it: the same tables of FTS5, in a file of SQLite in Node. The counterpart has the texts as they are ' +
    'written, in which FTS5 takes a run of Chinese for one word, and finds no part of it.',
  async run({ rounds, log }) {
    return languages.flatMap((language) => {
      const [mine, other]: [Seen[], Seen[]] = [[], []];
      for (let round = 0; round < rounds; round += 1) {
        mine.push(measure(language, ours));
        other.push(measure(language, asWritten));
      }
      log(`${language.name}: found ${mine[0]?.found} of ours, ${other[0]?.found} as written`);
      const isLatin = language.name === 'Latin letters';
      const figure = (
        name: string,
        unit: string,
        of: (seen: Seen) => number,
        atMost: number | null,
      ): Figure => ({
        name: `${language.name}, ${name}`,
        unit,
        ours: median(mine.map(of)),
        counterpart: median(other.map(of)),
        target: atMost === null ? null : { of: 'ratio', atMost },
        rounds: { ours: mine.map(of), counterpart: other.map(of) },
      });
      return [
        figure('bytes of the index a text', 'B', ({ bytes }) => bytes, isLatin ? 1.01 : null),
        figure('texts indexed', 'µs a text', ({ indexUs }) => indexUs, isLatin ? 1.5 : null),
        figure('a search', 'µs', ({ searchUs }) => searchUs, null),
      ];
    });
  },
};

interface Seen {
  bytes: number;
  indexUs: number;
  searchUs: number;
  found: number;
}

function measure({ text, queries }: Language, { indexed, asked }: Way): Seen {
  const folder = mkdtempSync(join(tmpdir(), 'word-index-'));
  try {
    const path = join(folder, 'index.sqlite');
    const database = new DatabaseSync(path);
    database.exec(
      `PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
       CREATE VIRTUAL TABLE words USING fts5(text, content='', columnsize=0, tokenize="unicode61 remove_diacritics 2")`,
    );
    const insert = database.prepare('INSERT INTO words (rowid, text) VALUES (?, ?)');
    const written = Array.from({ length: texts }, (_, index) => text(index));
    const startedAt = performance.now();
    for (let from = 0; from < texts; from += batch) {
      database.exec('BEGIN');
      for (const [index, one] of written.slice(from, from + batch).entries())
        insert.run(from + index + 1, indexed(one));
      database.exec('COMMIT');
    }
    const indexedAt = performance.now();
    // Merged, as it is in the end: how much is merged at the moment would say more than the texts.
    database.exec("INSERT INTO words (words) VALUES ('optimize')");
    database.exec('VACUUM');
    const bytes = statSync(path).size / texts;
    const find = database.prepare('SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT 50');
    // The first search of a process compiles what it needs.
    for (const q of queries) find.all(asked(q));
    const beganAt = performance.now();
    let found = 0;
    for (let index = 0; index < searches; index += 1) {
      found += find.all(asked(queries[index % queries.length] ?? '')).length;
    }
    const searchUs = (1000 * (performance.now() - beganAt)) / searches;
    database.close();
    return { bytes, indexUs: (1000 * (indexedAt - startedAt)) / texts, searchUs, found };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
