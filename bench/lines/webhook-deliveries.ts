import { setTimeout as delay } from 'node:timers/promises';
import { loadOrMakeSecrets } from '../../src/local/home/secrets.ts';
import { waitUntil } from '../../src/local/wait-until.ts';
import type { BenchLine, Figure } from '../line.ts';
import { startReceiversProcess } from '../processes/receivers-process.ts';
import { median, percentile } from '../results.ts';
import { makeBenchHome, removeBenchHome } from '../stage/bench-home.ts';
import { type Edge, startEdge } from '../stage/edge.ts';
import { makeWebhooks, queuedEvents } from '../stage/queued-events.ts';

const receiverCount = 10;
const rateRatioMin = 0.25;
const hangRatioMax = 2;
/** For the rate: all at once, some to a queue message, as the relay of an object packs them under load. */
const flood = { events: 1000, eventsAMessage: 20 };
/** For the isolation: a steady rate, each event in a queue message of its own. */
const steady = { eventsPerSecond: 5, seconds: 5 };
const arriveWithinMs = 30_000;

export const line: BenchLine = {
  name: 'webhook-deliveries',
  question:
    `How many callbacks a second reach ${receiverCount} healthy receivers, from events queued to callbacks received, against a ` +
    'plain fetch loop; and what does one receiver that hangs do to the p99 of the others?',
  leftOut:
    'The receivers answer at once and are near. One queue consumer runs at a time, where the platform has up to 250, and ' +
    'the local queue takes in about one message a millisecond.',
  async run({ log, rounds }) {
    const home = makeBenchHome();
    const receivers = startReceiversProcess();
    let edge: Edge | null = null;
    try {
      const secrets = loadOrMakeSecrets(home.path, 'simulator');
      edge = await startEdge({ home, secrets });
      const { url } = await receivers.ask({ kind: 'url' });
      const stage: Stage = { edge, receivers, url, sealingKey: secrets.webhookSealingKey };
      // The first round warms both sides up.
      await steadyRound(stage, 'warm-up', false);
      return [...(await measureRate(stage, rounds, log)), ...(await measureIsolation(stage, rounds, log))];
    } finally {
      await edge?.stop();
      await receivers.stop();
      removeBenchHome(home);
    }
  },
};

interface Stage {
  edge: Edge;
  receivers: ReturnType<typeof startReceiversProcess>;
  url: string;
  sealingKey: string;
}

const urlsOf = ({ url }: Stage, round: string) =>
  Array.from({ length: receiverCount }, (_, index) => `${url}/${round}/${index}/`);

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

/** Queues all events at once; from then until the last callback. */
async function deliveryRate(stage: Stage, round: string): Promise<number> {
  const { edge, sealingKey } = stage;
  const set = await makeWebhooks(edge, sealingKey, urlsOf(stage, round));
  const messages = flood.events / flood.eventsAMessage;
  const events = await edge.queue('EVENTS');
  const startedAt = performance.timeOrigin + performance.now();
  // One by one, as objects send them: a batch takes 256 KB.
  const sends = Array.from({ length: messages }, (_, index) =>
    events.send(queuedEvents(set, set.numberIds[index % receiverCount] ?? '', flood.eventsAMessage)),
  );
  await Promise.all(sends);
  const arrivals = await arrived(stage, round, flood.events);
  return flood.events / ((Math.max(...arrivals.map(({ at }) => at)) - startedAt) / 1000);
}

/** One loop a receiver, each POST after the answer to the one before it. */
async function fetchLoopRate(stage: Stage, round: string): Promise<number> {
  const set = { accountId: '', numberIds: [] };
  const startedAt = performance.now();
  const loop = async (url: string) => {
    for (let sent = 0; sent < flood.events / receiverCount; sent += 1) {
      const [event] = queuedEvents(set, '01a1fdea-8a6a-71f8-bd50-f97b0fa8eb9e', 1).events;
      const body = JSON.stringify(event?.envelope);
      const response = await fetch(url, {
        method: 'POST',
        body,
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
      ours: median(rounds.ours),
      counterpart: median(rounds.counterpart),
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
  const { edge, receivers, sealingKey } = stage;
  const urls = urlsOf(stage, round);
  const set = await makeWebhooks(edge, sealingKey, urls);
  await receivers.ask({ kind: 'hang', prefix: hangs ? new URL(urls[0] ?? '').pathname : null });
  const events = await edge.queue('EVENTS');
  const gapMs = 1000 / (steady.eventsPerSecond * receiverCount);
  const count = steady.eventsPerSecond * steady.seconds * receiverCount;
  const startedAt = performance.now();
  for (let index = 0; index < count; index += 1) {
    await delay(Math.max(0, startedAt + index * gapMs - performance.now()));
    void events.send(queuedEvents(set, set.numberIds[index % receiverCount] ?? '', 1));
  }
  const healthy = (count / receiverCount) * (receiverCount - 1);
  const arrivals = await arrived(stage, round, healthy, new URL(urls[0] ?? '').pathname);
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
