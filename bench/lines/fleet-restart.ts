import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { waitUntil } from '../../src/local/wait-until.ts';
import {
  allLinked,
  asOperator,
  type NamedBridge,
  namedBridges,
  pairNumbers,
  whenBridges,
} from '../bridge-side/local-fleet.ts';
import { LocalRun, unlimited } from '../bridge-side/local-run.ts';
import type { BenchLine } from '../runner/line.ts';
import { median } from '../runner/results.ts';

const bridges = 3;
const numbersEach = 40;
const sendsPerSecond = 20;
const recipient = '15550009998';
const withinMs = 60_000;

/** When each text was accepted, by the text; milliseconds since 1970. */
type Accepted = Map<string, number>;

export const line: BenchLine = {
  name: 'fleet-restart',
  question: `How late is a message at most while all ${bridges} bridges, with ${bridges * numbersEach} numbers, are drained and restarted one after the other, at ${sendsPerSecond} sends a second?`,
  leftOut: 'What arrives from outside meanwhile; a new release of the bridge, which starts as this one does.',
  async run({ log, rounds }) {
    const run = await LocalRun.start({ ...unlimited, BRIDGES: String(bridges), HELIOGRAPH_DEMO: '0' });
    try {
      const keys = [...(await pairNumbers(run, bridges * numbersEach)).values()];
      const last: number[] = [];
      const half: number[] = [];
      for (let round = 1; round <= rounds; round += 1) {
        await run.signIn();
        const lateMs = await restartAll(run, keys);
        last.push(Math.max(...lateMs));
        half.push(median(lateMs));
        log(
          `round ${round}: ${lateMs.length} messages, half of them within ${Math.round(median(lateMs))} ms, the last after ${Math.round(Math.max(...lateMs))} ms`,
        );
      }
      return [
        {
          name: 'the latest message in a rolling restart',
          unit: 'ms',
          ours: median(last),
          target: { of: 'ours', atMost: 10_000 },
          rounds: { ours: last },
        },
        {
          name: 'half of the messages in a rolling restart',
          unit: 'ms',
          ours: median(half),
          target: null,
          rounds: { ours: half },
        },
      ];
    } finally {
      await run.discard();
    }
  },
};

/** How long each message took from its acceptance to the network while that went on, in milliseconds. */
async function restartAll(run: LocalRun, keys: readonly string[]): Promise<number[]> {
  const round = randomUUID();
  const accepted: Accepted = new Map();
  const load = { isOver: false };
  const sending = sendUntil(load, run, keys, round, accepted);
  try {
    for (const place of namedBridges(run).keys()) await restart(run, place);
  } finally {
    load.isOver = true;
    await sending;
  }
  return arrivals(run, round, accepted);
}

/** As an operator does it: empty first, then a new process, which takes numbers again. */
async function restart(run: LocalRun, place: number): Promise<void> {
  const { bridgeId, pid } = namedBridges(run)[place] as NamedBridge;
  await asOperator(run, 'POST', `/${bridgeId}/drain`);
  await whenBridges(run, 'It still has numbers', (all) =>
    all.some((bridge) => bridge.bridgeId === bridgeId && bridge.numbers === 0),
  );
  process.kill(pid, 'SIGTERM');
  await waitUntil('It was not started again', withinMs, async () =>
    namedBridges(run)[place]?.pid === pid ? null : true,
  );
  await allLinked(run);
  await asOperator(run, 'POST', `/${bridgeId}/resume`);
}

/** Sends at a steady rate, from each number in turn, until the load is over; all of it is accepted then. */
async function sendUntil(
  load: { isOver: boolean },
  run: LocalRun,
  keys: readonly string[],
  round: string,
  accepted: Accepted,
): Promise<void> {
  const under: Promise<void>[] = [];
  for (let sent = 0; !load.isOver; sent += 1) {
    under.push(send(run, keys[sent % keys.length] ?? '', `${round} ${sent}`, accepted));
    await wait(1000 / sendsPerSecond);
  }
  await Promise.all(under);
}

async function send(run: LocalRun, key: string, text: string, accepted: Accepted): Promise<void> {
  const response = await fetch(`${run.baseUrl}/v1/messages/send`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({ to: recipient, text }),
  });
  if (response.status !== 202) throw new Error(`a send was answered ${response.status}`);
  accepted.set(text, Date.now());
  await response.body?.cancel();
}

async function arrivals(run: LocalRun, round: string, accepted: Accepted): Promise<number[]> {
  return waitUntil('Not every message arrived', withinMs, async () => {
    const path = `/admin/messages?to=${recipient}`;
    const { data } = await run.simulator<{ data: { text: string; at: string }[] }>('GET', path);
    const found = data.filter(({ text }) => text.startsWith(round));
    if (found.length < accepted.size) return null;
    return found.map(({ text, at }) => Math.max(0, Date.parse(at) - (accepted.get(text) ?? 0)));
  });
}
