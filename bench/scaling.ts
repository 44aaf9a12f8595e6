/*
 * What breaks first as Heliograph grows, and at which size: arithmetic from the last run of the bench
 * (`bench/results.json`), from bytes that are measured here, and from the platform's limits. The tables of
 * docs/scaling.md are its output.
 *
 *   node bench/scaling.ts [results.json]
 */
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { type Results, resultsSchema } from './results.ts';
import {
  bridgesFor,
  ceilings,
  databasesFor,
  daysUntilFull,
  type Measured,
  usdOfSleeplessObject,
  usdPerMonth,
} from './scaling-model.ts';
import { storedBytes } from './stored-bytes.ts';
import { shown, table } from './tables.ts';

const path = process.argv[2] ?? fileURLToPath(new URL('results.json', import.meta.url));
const results = resultsSchema.parse(JSON.parse(readFileSync(path, 'utf8')));

/** Bytes in packs of so many deliveries: in a stream, alone, and the fewest that are packed, which fill their pages least. */
const storedIn = (packed: number) => storedBytes(new DatabaseSync(':memory:'), packed);
const stored = { stream: storedIn(20), alone: storedIn(1), worst: storedIn(4) };

const measured: Measured = {
  ...stored.worst,
  usdPerMillion: both(results, 'cost'),
  d1Rows: both(results, 'rows written by D1'),
  numberRequests: both(results, 'object requests'),
  bridgeBytesPerNumber: figure(results, 'bridge-memory', 'RSS of one more number') * 2 ** 20,
};

const queueOperations = both(results, 'queue operations');

/** A figure of the line `cost`, in both of its settings. */
function both(from: Results, name: string): { stream: number; alone: number } {
  return { stream: figure(from, 'cost', `${name}, at 50/s`), alone: figure(from, 'cost', `${name}, alone`) };
}

function figure(from: Results, line: string, name: string): number {
  const found = from.figures.find((it) => it.line === line && it.name.includes(name));
  if (found === undefined) throw new Error(`${path} has no figure "${name}" of the line ${line}.`);
  return found.ours;
}

const range = ({ least, most }: { least: number; most: number }) => `${shown(least)} to ${shown(most)}`;

console.log(`From ${path}: commit ${results.commit}, ${results.at}\n`);
console.log('What a message takes\n');
console.log(
  table(
    ['', 'in a stream', 'alone'],
    [
      [
        'dollars a million messages',
        shown(measured.usdPerMillion.stream),
        shown(measured.usdPerMillion.alone),
      ],
      ['rows written in D1', shown(measured.d1Rows.stream), shown(measured.d1Rows.alone)],
      ['queue operations', shown(queueOperations.stream), shown(queueOperations.alone)],
      ['object requests', shown(measured.numberRequests.stream), shown(measured.numberRequests.alone)],
      ['bytes in D1: message', shown(stored.stream.messageBytes), shown(stored.alone.messageBytes)],
      [
        'bytes in D1: four deliveries',
        shown(stored.stream.deliveriesBytes),
        `${shown(stored.alone.deliveriesBytes)} (counted with ${shown(stored.worst.deliveriesBytes)})`,
      ],
    ],
  ),
);
console.log('\nWhat gives way, first things first (messages a second)\n');
console.log(
  table(
    ['what', 'shared by', 'messages/s', 'the way past it'],
    ceilings(measured).map(({ what, shares, perSecond, way }) => [what, shares, range(perSecond), way]),
  ),
);
console.log('\nOne database of 10 GB, messages around the clock\n');
console.log(
  table(
    ['messages/s', 'a month', 'full after, kept for ever', 'kept 12 months', 'kept 3 months'],
    [0.1, 0.4, 1, 4, 20, 100].map((perSecond) => [
      shown(perSecond),
      shown(perSecond * 86_400 * 30.4),
      ...[null, 12, 3].map((months) => {
        const days = daysUntilFull(measured, perSecond, months);
        return days === null ? 'never' : `${shown(days)} days`;
      }),
    ]),
  ),
);
console.log('\nA month\n');
console.log(
  table(
    ['messages', 'dollars, kept 12 months', 'databases', 'numbers at 2,000 a day', 'bridges of 4 GiB'],
    [1e6, 5e6, 10e6, 50e6, 100e6].map((messages) => {
      const numbers = Math.ceil(messages / 30.4 / 2000);
      return [
        shown(messages),
        shown(usdPerMonth(measured, messages, 12)),
        shown(databasesFor(measured, messages, 12)),
        shown(numbers),
        shown(bridgesFor(measured, numbers, 4 * 2 ** 30)),
      ];
    }),
  ),
);
console.log(`\nAn object that a stray timer keeps awake: $${usdOfSleeplessObject.toFixed(2)} a month.`);
