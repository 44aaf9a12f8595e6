import { requestJson } from '../../../src/local/json-client.ts';
import type { BenchLine, Figure } from '../../runner/line.ts';
import { median } from '../../runner/results.ts';
import { shown, table } from '../../runner/tables.ts';
import { BenchCustomer } from '../../stage/customer.ts';
import type { Edge } from '../../stage/edge.ts';
import { giveFacts, queuedFact, receivedFact, sentFact } from '../../stage/facts.ts';
import { withEdge } from '../../stage/gateway.ts';
import { takeMeter, whatIsKept } from '../../stage/meter-client.ts';

/** Messages in the log when the queries are asked. */
const sizes = { few: 1000, many: 100_000 };
const factsACall = 100;
const callsAtATime = 4;
/** For the rate at which the log takes facts that come one by one. */
const alone = { facts: 1500, callsAtATime: 16 };
const numbers = 20;
const recipients = 5000;
/** Of so many messages one is received, and one has this word. */
const receivedOf = 10;
const rareOf = 500;
const repeats = 9;
/** A page reads no more than 2,000 messages, and finding a place takes a few rows. */
const rowsReadMax = 2500;

interface Middle {
  time: string;
  cursor: string;
  numberId: string;
}
type Query = (middle: Middle) => string;

/** What is asked of both sizes: the first page of each list, with each kind of filter, and events from both ends. */
const queries: Record<string, Query> = {
  'messages, newest': () => '/v1/messages?limit=50',
  'messages of a number': ({ numberId }) => `/v1/messages?limit=50&numberId=${numberId}`,
  'messages to a recipient': () => '/v1/messages?limit=50&to=15550000007',
  'messages received': () => '/v1/messages?limit=50&direction=inbound',
  'messages that failed: there are none': () => '/v1/messages?limit=50&status=failed',
  'messages before a time in the middle': ({ time }) => `/v1/messages?limit=50&until=${time}`,
  'messages with a rare word': () => '/v1/messages?limit=50&q=zebra',
  'messages with a common word': () => '/v1/messages?limit=50&q=order',
  'events, oldest': () => '/v1/events?limit=100',
  'events from the middle': ({ cursor }) => `/v1/events?limit=100&after=${cursor}`,
  'events of one kind: there are none': () => '/v1/events?limit=100&events=message.failed',
  'events of a number': ({ numberId }) => `/v1/events?limit=100&numberId=${numberId}`,
};

interface Seen {
  rowsRead: number;
  ms: number;
}

export const line: BenchLine = {
  name: 'scale-kept',
  question:
    `Does a query of messages or events read more with ${sizes.many.toLocaleString('en')} messages kept than with ` +
    `${sizes.few.toLocaleString('en')}?`,
  leftOut:
    'The messages are told to the log in hundreds, as under load, so there are few rows of many events. The rows that the ' +
    'index of words reads inside are not counted. Nothing is archived yet.',
  async run({ log }) {
    return withEdge({ around: 'meter' }, async ({ edge, secrets }) => {
      const customer = await BenchCustomer.join(edge.url, secrets);
      const numberIds: string[] = [];
      for (let index = 0; index < numbers; index += 1) numberIds.push(await customer.addNumber({}));
      const stage: Stage = { edge, customer, numberIds };
      const seen: Record<keyof typeof sizes, Map<string, Seen>> = { few: new Map(), many: new Map() };
      await fill(stage, 0, sizes.few, factsACall, callsAtATime);
      await askAll(stage, seen.few);
      const bytesBefore = await logBytes(stage);
      const together = await fill(stage, sizes.few, sizes.many, factsACall, callsAtATime);
      await askAll(stage, seen.many);
      const bytes = ((await logBytes(stage)) - bytesBefore) / (sizes.many - sizes.few);
      const oneByOne = await fill(stage, sizes.many, sizes.many + alone.facts, 1, alone.callsAtATime);
      return [
        ...figuresOf(seen, log),
        single('taken by the log, a hundred a call', 'messages / s', together),
        single('taken by the log, one a call', 'messages / s', oneByOne),
        single('bytes kept in the log, one or two events a message', 'a message', bytes),
      ];
    });
  },
};

interface Stage {
  edge: Edge;
  customer: BenchCustomer;
  numberIds: readonly string[];
}

/** Brings the log from so many messages to so many, most of them sent, every tenth received; messages a second. */
async function fill(
  { edge, customer, numberIds }: Stage,
  from: number,
  to: number,
  aCall: number,
  atATime: number,
): Promise<number> {
  const startedAt = performance.now();
  let next = from;
  const filler = async () => {
    while (next < to) {
      const first = next;
      next = Math.min(to, first + aCall);
      const facts = Array.from({ length: next - first }, (_, index) => factOf(numberIds, first + index));
      await giveFacts(edge, customer.accountId, facts);
    }
  };
  await Promise.all(Array.from({ length: atATime }, filler));
  return (1000 * (to - from)) / (performance.now() - startedAt);
}

function factOf(numberIds: readonly string[], index: number): unknown {
  const message = {
    numberId: numberIds[index % numberIds.length] ?? '',
    to: String(15550000000 + (index % recipients)),
    text: `Your order ${index} has left our house${index % rareOf === 0 ? ' beside a zebra' : ''}.`,
  };
  if (index % receivedOf === 0) return receivedFact(message);
  return index % 2 === 0 ? sentFact(message) : queuedFact(message);
}

/** Asks each query some times: the rows that the log reads for one, and the median time. */
async function askAll(stage: Stage, seen: Map<string, Seen>): Promise<void> {
  const { edge, customer } = stage;
  const headers = { 'x-api-key': customer.apiKey };
  const ask = (path: string) => requestJson<Page>(edge.url, 'GET', path, { headers });
  const middle = await middleOf(stage, ask);
  // The words of what is new are indexed when they are first looked for.
  await ask('/v1/messages?q=zebra');
  for (const [name, query] of Object.entries(queries)) {
    const path = query(middle);
    await ask(path);
    await takeMeter(edge);
    const times: number[] = [];
    for (let index = 0; index < repeats; index += 1) {
      const startedAt = performance.now();
      await ask(path);
      times.push(performance.now() - startedAt);
    }
    const { tally } = await takeMeter(edge);
    seen.set(name, { rowsRead: (tally['rowsRead|EventLog'] ?? 0) / repeats, ms: median(times) });
  }
}

interface Page {
  data: { timestamp?: string }[];
  nextCursor: string | null;
  /** Of events. */
  hasMore?: boolean;
}

/** A time and a cursor about halfway through what is kept. */
async function middleOf({ numberIds }: Stage, ask: (path: string) => Promise<Page>): Promise<Middle> {
  const ends: { cursor: string; time: string }[] = [];
  for (let page = await ask('/v1/events?limit=1000'); page.hasMore; ) {
    const cursor = page.nextCursor ?? '';
    ends.push({ cursor, time: page.data.at(-1)?.timestamp ?? '' });
    page = await ask(`/v1/events?limit=1000&after=${cursor}`);
  }
  const { cursor, time } = ends[Math.floor(ends.length / 2)] ?? { cursor: 'now', time: '' };
  return { cursor, time, numberId: numberIds[1] ?? '' };
}

async function logBytes({ edge, customer }: Stage): Promise<number> {
  const { bytes } = await whatIsKept(edge, [{ className: 'EventLog', name: customer.accountId }]);
  return bytes.EventLog ?? 0;
}

const single = (name: string, unit: string, ours: number): Figure => ({
  name,
  unit,
  ours,
  target: null,
  rounds: { ours: [ours] },
});

function figuresOf(
  seen: Record<'few' | 'many', ReadonlyMap<string, Seen>>,
  log: (text: string) => void,
): Figure[] {
  const names = Object.keys(queries);
  const value = (size: 'few' | 'many', name: string, of: keyof Seen) =>
    seen[size].get(name)?.[of] ?? Number.NaN;
  const rows = names.map((name) => [
    name,
    ...(['rowsRead', 'ms'] as const).flatMap((of) => [
      shown(value('few', name, of)),
      shown(value('many', name, of)),
    ]),
  ]);
  const { few, many } = sizes;
  const head = ['query', `rows at ${few}`, `rows at ${many}`, `ms at ${few}`, `ms at ${many}`];
  for (const row of table(head, rows).split('\n')) log(row);
  const figure = (name: string, unit: string, of: keyof Seen, target: Figure['target']): Figure => {
    const rounds = {
      ours: names.map((it) => value('many', it, of)),
      counterpart: names.map((it) => value('few', it, of)),
    };
    const [ours, counterpart] = [Math.max(...rounds.ours), Math.max(...rounds.counterpart)];
    const details = Object.fromEntries(
      names.map((it) => [it, { few: value('few', it, of), many: value('many', it, of) }]),
    );
    return { name, unit, ours, counterpart, target, rounds, details };
  };
  return [
    figure('rows read by the query that reads most', 'rows', 'rowsRead', { of: 'ours', atMost: rowsReadMax }),
    figure('median of the slowest query', 'ms', 'ms', null),
  ];
}
