import type { BenchLine, Figure } from '../runner/line.ts';
import { median } from '../runner/results.ts';
import { shown, table } from '../runner/tables.ts';

/** Each person has a conversation with `each` of the numbers. */
const sizes = {
  few: { numbers: 1, people: 1_000, each: 1, groups: 10 },
  many: { numbers: 1_000, people: 100_000, each: 10, groups: 10_000 },
} as const;

const repeats = 9;
const msMax = 50;

/** Of the objects' types, which this file does not have: bench/inbox/large-inbox.ts. */
interface LargeInbox {
  numberId: (index: number) => string;
  phoneOf: (index: number) => string;
  searchInbox: (
    size: (typeof sizes)[keyof typeof sizes],
    searches: Record<string, object>,
    repeats: number,
  ) => Record<string, { found: number; cpuMs: number[] }>;
}
const module = new URL('../inbox/large-inbox.ts', import.meta.url);

export const line: BenchLine = {
  name: 'inbox-search',
  question:
    `How long does a search in the inbox of an account with ${sizes.many.numbers.toLocaleString('en')} numbers and a million ` +
    'conversations take, against one number and a thousand of them?',
  leftOut:
    'The object around it, and the way to it: the same tables and the same code, over a file of SQLite in Node. It is CPU time, ' +
    'which is what a search keeps an object for when the machine has nothing else to do.',
  async run({ log }) {
    const { numberId, phoneOf, searchInbox } = (await import(module.href)) as LargeInbox;
    const others = Array.from({ length: sizes.many.numbers - 1 }, (_, index) => numberId(index + 1));
    const searches = {
      'a name that all have': { q: 'person' },
      'one person': { q: 'person 777' },
      'one person, of one number': { q: 'person 777', numberId: numberId(0) },
      'the beginning of phone numbers': { q: '628100' },
      'a phone number': { q: phoneOf(777) },
      'one group': { q: 'branch 77' },
      'a name that nobody has': { q: 'zebra' },
      'for somebody who sees one number': { q: 'person', hiddenNumberIds: others },
    };
    const few = searchInbox(sizes.few, searches, repeats);
    const many = searchInbox(sizes.many, searches, repeats);
    const names = Object.keys(searches);
    const msOf = (all: typeof few, name: string) => median(all[name]?.cpuMs ?? []);
    const rows = names.map((name) => [
      name,
      `${many[name]?.found}`,
      shown(msOf(few, name)),
      shown(msOf(many, name)),
    ]);
    for (const row of table(['search', 'found', 'ms, few', 'ms, many'], rows).split('\n')) log(row);
    const rounds = {
      ours: names.map((name) => msOf(many, name)),
      counterpart: names.map((name) => msOf(few, name)),
    };
    const figure: Figure = {
      name: 'CPU of the slowest search, a million conversations against a thousand',
      unit: 'ms',
      ours: Math.max(...rounds.ours),
      counterpart: Math.max(...rounds.counterpart),
      target: { of: 'ours', atMost: msMax },
      rounds,
    };
    return [figure];
  },
};
