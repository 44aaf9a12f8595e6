import { setTimeout as delay } from 'node:timers/promises';
import { waitUntil } from '../../src/local/wait-until.ts';
import { startReceiversProcess } from '../processes/receivers-process.ts';
import type { BenchLine, Figure } from '../runner/line.ts';
import { median, percentile } from '../runner/results.ts';
import { BenchCustomer } from '../stage/customer.ts';
import { giveFacts, queuedFact } from '../stage/facts.ts';
import { type BenchEdge, withEdge } from '../stage/gateway.ts';

const receiverCount = 10;
const rateRatioMin = 0.6;
const hangRatioMax = 1.2;
/** For the rate: all at once, so many to a call of the log, as an account hands them on under load. */
const flood = { events: 2000, eventsACall: 100 };
/** For the isolation: a steady rate, each event told by itself. */
const steady = { eventsPerSecond: 5, seconds: 15 };
const arriveWithinMs = 60_000;

export const line: BenchLine = {
  name: 'webhook-deliveries',
  question:
    `How many callbacks a second reach ${receiverCount} healthy receivers of one account, from the log's taking of the facts to ` +
    'callbacks received, against a plain fetch loop; and what does one receiver that hangs do to the p99 of the others?',
  leftOut:
    'The receivers answer at once and are near. All of them are those of one account, so one log serves them: on the ' +
    'platform each account has one of its own.',
  async run({ log, rounds }) {
    const receivers = startReceiversProcess();
    try {
      return await withEdge({ around: 'facts-route' }, async (gateway) => {
        const { url } = await receivers.ask({ kind: 'url' });
        const stage: Stage = { ...gateway, receivers, url };
        // The first rounds warm both sides up.
        await steadyRound(stage, 'warm-up', false);
        await deliveryRate(stage, 'warm-up-flood');
        return [...(await measureRate(stage, rounds, log)), ...(await measureIsolation(stage, rounds, log))];
      });
    } finally {
      await receivers.stop();
    }
  },
};

interface Stage extends BenchEdge {
  receivers: ReturnType<typeof startReceiversProcess>;
  url: string;
}

/** A new account with a number for each receiver, whose webhook hears of that number alone. */
interface Audience {
  accountId: string;
  numberIds: string[];
}

const urlsOf = ({ url }: Pick<Stage, 'url'>, round: string) =>
  Array.from({ length: receiverCount }, (_, index) => `${url}/${round}/${index}/`);

async function makeAudience({ edge, secrets, url }: Stage, round: string): Promise<Audience> {
  const customer = await BenchCustomer.join(edge.url, secrets);
  const numberIds: string[] = [];
  for (const address of urlsOf({ url }, round)) {
    const { numberId } = await customer.admin<{ numberId: string }>('POST', '/v1/numbers', {
      label: 'Bench',
    });
    await customer.addWebhook(address, { numberIds: [numberId], events: ['message.queued'] });
    numberIds.push(numberId);
  }
  return { accountId: customer.accountId, numberIds };
}

const eventFor = ({ numberIds }: Audience, index: number) =>
  queuedFact({
    numberId: numberIds[index % receiverCount] ?? '',
    to: '628123456789',
    text: `Event ${index} of the bench.`,
  });

async function measureRate(stage: Stage, rounds: number, log: (text: string) => void): Promise<Figure[]> {
  const [ours, counterpart]: [number[], number[]] = [[], []];
  for (let round = 1; round <= rounds; round += 1) {
    counterpart.push(await fetchLoopRate(stage, `loop-${round}`));
    ours.push(await deliveryRate(stage, `flood-${round}`));
    log(
      `round ${round}: ${Math.round(ours.at(-1) ?? 0)}/s, fetch loop ${Math.round(counterpart.at(-1) ?? 0)}/s`,
    );
  }
  return [
    {
      name: 'deliveries',
      unit: '/ s',
      ours: median(ours),
      counterpart: median(counterpart),
      target: { of: 'ratio', atLeast: rateRatioMin },
      rounds: { ours, counterpart },
    },
  ];
}

/** Tells the log all events, one call after the other; from then until the last callback. */
async function deliveryRate(stage: Stage, round: string): Promise<number> {
  const audience = await makeAudience(stage, round);
  const facts = Array.from({ length: flood.events }, (_, index) => eventFor(audience, index));
  const startedAt = performance.timeOrigin + performance.now();
  for (let first = 0; first < facts.length; first += flood.eventsACall) {
    await giveFacts(stage.edge, audience.accountId, facts.slice(first, first + flood.eventsACall));
  }
  const arrivals = await arrived(stage, round, flood.events);
  return flood.events / ((Math.max(...arrivals.map(({ at }) => at)) - startedAt) / 1000);
}

/** One loop a receiver, each POST after the answer to the one before it. */
async function fetchLoopRate(stage: Stage, round: string): Promise<number> {
  const startedAt = performance.now();
  const loop = async (url: string) => {
    for (let sent = 0; sent < flood.events / receiverCount; sent += 1) {
      const response = await fetch(url, {
        method: 'POST',
        body: JSON.stringify(plainCallback(`${url} ${sent}`)),
        headers: { 'content-type': 'application/json' },
      });
      await response.arrayBuffer();
    }
  };
  await Promise.all(urlsOf(stage, round).map(loop));
  const elapsedMs = performance.now() - startedAt;
  await arrived(stage, round, flood.events);
  return flood.events / (elapsedMs / 1000);
}

/** As large as one of ours. */
const plainCallback = (id: string) => ({
  id,
  event: 'message.queued',
  timestamp: new Date().toISOString(),
  data: {
    messageId: 'msg_01a1fdeb-30b9-7082-b737-6a5d381b1b7b',
    numberId: '01a1fdea-8a6a-71f8-bd50-f97b0fa8eb9e',
    to: '628123456789',
    chatType: 'personal',
    messageType: 'text',
    status: 'queued',
  },
});

async function measureIsolation(
  stage: Stage,
  rounds: number,
  log: (text: string) => void,
): Promise<Figure[]> {
  const latencies: Record<'without' | 'beside', number[][]> = { without: [], beside: [] };
  for (let round = 1; round <= rounds; round += 1) {
    latencies.without.push(await steadyRound(stage, `without-${round}`, false));
    latencies.beside.push(await steadyRound(stage, `beside-${round}`, true));
    const p99 = (kind: 'without' | 'beside') => Math.round(percentile(latencies[kind].at(-1) ?? [], 0.99));
    log(`round ${round}: p99 ${p99('without')} ms, beside one that hangs ${p99('beside')} ms`);
  }
  const figure = (name: string, share: number, target: Figure['target']): Figure => {
    const of = (kind: 'without' | 'beside') => latencies[kind].map((round) => percentile(round, share));
    const rounds = { ours: of('beside'), counterpart: of('without') };
    return {
      name,
      unit: 'ms',
      // Of all rounds together: a single one has too few of the slowest.
      ours: percentile(latencies.beside.flat(), share),
      counterpart: percentile(latencies.without.flat(), share),
      target,
      rounds,
    };
  };
  return [
    figure('p50 beside one that hangs', 0.5, null),
    figure('p99 beside one that hangs', 0.99, { of: 'ratio', atMost: hangRatioMax }),
  ];
}

/**
 * A steady rate to ten fresh webhooks, so that the first moments of a hang are in it; the latencies of the nine that
 * answer in either kind of round, from the event's time to the callback's arrival.
 */
async function steadyRound(stage: Stage, round: string, hangs: boolean): Promise<number[]> {
  const audience = await makeAudience(stage, round);
  const [first = ''] = urlsOf(stage, round).map((url) => new URL(url).pathname);
  await stage.receivers.ask({ kind: 'hang', prefix: hangs ? first : null });
  const gapMs = 1000 / (steady.eventsPerSecond * receiverCount);
  const count = steady.eventsPerSecond * steady.seconds * receiverCount;
  const startedAt = performance.now();
  const told: Promise<void>[] = [];
  for (let index = 0; index < count; index += 1) {
    await delay(Math.max(0, startedAt + index * gapMs - performance.now()));
    told.push(giveFacts(stage.edge, audience.accountId, [eventFor(audience, index)]));
  }
  await Promise.all(told);
  const healthy = (count / receiverCount) * (receiverCount - 1);
  const arrivals = await arrived(stage, round, healthy, first);
  return arrivals.map(({ at, happenedAt }) => at - happenedAt);
}

/** The callbacks of a round, once so many different ones have come; none of those to the path that is left out. */
async function arrived(stage: Stage, round: string, count: number, without?: string) {
  const seen = new Map<string, { at: number; happenedAt: number }>();
  return waitUntil(`${count} callbacks of ${round} did not arrive`, arriveWithinMs, async () => {
    const { arrivals } = await stage.receivers.ask({ kind: 'take' });
    for (const { id, path, at, happenedAt } of arrivals) {
      if (!path.startsWith(`/${round}/`) || path === without || seen.has(id)) continue;
      seen.set(id, { at, happenedAt });
    }
    return seen.size >= count ? [...seen.values()] : null;
  });
}
