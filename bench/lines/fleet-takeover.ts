import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { waitUntil } from '../../src/local/wait-until.ts';
import { OwnBridge } from '../../test/journeys/own-bridge.ts';
import { Wire } from '../../test/journeys/wire.ts';
import {
  allLinked,
  asOperator,
  type NamedBridge,
  namedBridges,
  pairNumbers,
  whenBridges,
} from '../bridge-side/local-fleet.ts';
import { LocalRun, unlimited } from '../bridge-side/local-run.ts';
import type { BenchLine, Figure } from '../line.ts';
import { median } from '../results.ts';

const bridges = 3;
const numbersEach = 40;
const newEveryMs = 1_000;
const withinMs = 60_000;

/** Two bridges of the gateway, and one whose way to the edge alone can be cut. */
interface Fleet {
  run: LocalRun;
  wired: OwnBridge;
  wire: Wire;
}

/** The bridge that is to fall silent, how that begins, and what brings it back where it does not come by itself. */
interface Loss {
  bridgeId: string;
  begin: () => void;
  end: () => void;
}

const losses: Record<string, (fleet: Fleet) => Promise<Loss>> = {
  frozen: async ({ run }) => {
    const { bridgeId, pid } = fullest(run);
    return {
      bridgeId,
      begin: () => process.kill(pid, 'SIGSTOP'),
      end: () => process.kill(pid, 'SIGCONT'),
    };
  },
  killed: async ({ run }) => {
    const { bridgeId, pid } = fullest(run);
    return { bridgeId, begin: () => process.kill(pid, 'SIGKILL'), end: () => {} };
  },
  'cut off from the edge': async ({ run, wired, wire }) => {
    await moveNumbersAway(run, fullest(run).bridgeId);
    return { bridgeId: wired.bridgeId, begin: () => wire.cut(), end: () => wire.mend() };
  },
};

export const line: BenchLine = {
  name: 'fleet-takeover',
  question: `How long is a number silent when its bridge freezes, is killed, or is cut off from the edge, with ${bridges} bridges and ${bridges * numbersEach} numbers?`,
  leftOut:
    'A killed bridge is started again at once over its disk, and mostly keeps its numbers; a frozen one is what a machine that is gone looks like.',
  async run({ log, rounds }) {
    const run = await LocalRun.start({ ...unlimited, BRIDGES: String(bridges - 1), HELIOGRAPH_DEMO: '0' });
    const [gatewayPort, networkPort] = [run.baseUrl, run.simulatorUrl].map((url) =>
      Number(new URL(url).port),
    );
    const wire = await Wire.to(gatewayPort ?? 0);
    const wired = new OwnBridge(run, { gatewayPort: wire.port, networkPort: networkPort ?? 0 });
    try {
      await wired.start();
      const keys = await pairNumbers(run, bridges * numbersEach);
      const figures: Figure[] = [];
      for (const [name, lossOf] of Object.entries(losses)) {
        const seen: Silence[] = [];
        for (let round = 1; round <= rounds; round += 1) {
          await run.signIn();
          const one = await silence({ run, wired, wire }, keys, await lossOf({ run, wired, wire }));
          seen.push(one);
          const half = (times: number[]) =>
            `half of them ${Math.round(median(times))} ms after, the last ${Math.round(Math.max(...times))}`;
          log(
            `round ${round}, ${name}: ${one.newMs.length} numbers say something new again, ${half(one.newMs)}; what was said as it happened left, ${half(one.doubtfulMs)}; ${one.loginsPerSecond.toFixed(0)} logins a second`,
          );
        }
        const figure = (what: string, ours: number[], atMost: number | null, unit = 'ms'): Figure => ({
          name: `${what}, bridge ${name}`,
          unit,
          ours: median(ours),
          target: atMost === null ? null : { of: 'ours', atMost },
          rounds: { ours },
        });
        const last = (times: number[]) => Math.max(...times);
        figures.push(
          figure(
            'half of the numbers speak again',
            seen.map(({ newMs }) => median(newMs)),
            3_000,
          ),
          figure(
            'all speak again',
            seen.map(({ newMs }) => last(newMs)),
            8_000,
          ),
          figure(
            'half of what was said as it happened',
            seen.map(({ doubtfulMs }) => median(doubtfulMs)),
            null,
          ),
          figure(
            'all that was said as it happened',
            seen.map(({ doubtfulMs }) => last(doubtfulMs)),
            8_000,
          ),
          figure(
            'logins a second',
            seen.map(({ loginsPerSecond }) => loginsPerSecond),
            null,
            '1/s',
          ),
        );
      }
      return figures;
    } finally {
      await wired.discard();
      wire.close();
      await run.discard();
    }
  },
};

/** By number, in milliseconds from the loss. */
interface Silence {
  /** Until the first of the texts that were accepted meanwhile was on the network: one every second. */
  newMs: number[];
  /** Until the text was there that was sent in the moment of the loss: it may have left, so it is looked for first. */
  doubtfulMs: number[];
  /** From the first login of the bridges that take over to the last. */
  loginsPerSecond: number;
}

const randomPhone = () => `1555${randomInt(1_000_000, 9_999_999)}`;

/** What becomes of the numbers of a bridge once that has fallen silent. */
async function silence(fleet: Fleet, keys: Map<string, string>, loss: Loss): Promise<Silence> {
  const { run } = fleet;
  const numbers = numbersOf(run, loss.bridgeId);
  const round = randomUUID();
  // Phones of this round alone: what arrived at them is looked at again and again, and is not to cost more each time.
  const [recipient, newRecipient] = [randomPhone(), randomPhone()];
  // The moment before, so that every number has just spoken to both, and none is found asleep.
  for (const to of [recipient, newRecipient]) {
    await sendAll(run, keys, numbers, `${round} before`, to);
    await arrivals(run, to, `${round} before`, numbers);
  }
  loss.begin();
  const beganAt = Date.now();
  const probing = { isOver: false };
  const probes = probe(probing, run, keys, numbers, `${round} new`, newRecipient);
  try {
    await sendAll(run, keys, numbers, `${round} after`, recipient);
    const doubtful = await arrivals(run, recipient, `${round} after`, numbers);
    const first = await arrivals(run, newRecipient, `${round} new`, numbers);
    const loginsPerSecond = loginRate(fleet, beganAt);
    const since = (times: number[]) => times.map((at) => at - beganAt);
    return { newMs: since(first), doubtfulMs: since(doubtful), loginsPerSecond };
  } finally {
    probing.isOver = true;
    await probes;
    loss.end();
    await allLinked(run);
  }
}

/** Has every number say something new to somebody else, again and again. */
async function probe(
  probing: { isOver: boolean },
  run: LocalRun,
  keys: Map<string, string>,
  numbers: string[],
  text: string,
  to: string,
): Promise<void> {
  for (let count = 0; !probing.isOver; count += 1) {
    await wait(newEveryMs);
    await sendAll(run, keys, numbers, `${text} ${count}`, to);
  }
}

/** Of the sessions that have opened since, over all bridges. */
function loginRate({ run, wired }: Fleet, since: number): number {
  const lines = [...run.logs().values(), wired.output].flatMap((text) => text.split('\n'));
  const timesOf = (event: string) =>
    lines.flatMap((text) => {
      if (!text.includes(`"${event}"`)) return [];
      const at = Date.parse(/"time":"([^"]+)"/.exec(text)?.[1] ?? '');
      return at >= since ? [at] : [];
    });
  const [began, opened] = [timesOf('session.connecting'), timesOf('session.connected')];
  return opened.length / Math.max(0.001, (Math.max(...opened) - Math.min(...began)) / 1000);
}

async function sendAll(
  run: LocalRun,
  keys: Map<string, string>,
  numbers: string[],
  text: string,
  to: string,
): Promise<void> {
  await Promise.all(
    numbers.map(async (numberId) => {
      const response = await fetch(`${run.baseUrl}/v1/messages/send`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': keys.get(numberId) ?? '' },
        body: JSON.stringify({ to, text: `${text} ${numberId}` }),
      });
      if (response.status !== 202) throw new Error(`a send was answered ${response.status}`);
      await response.body?.cancel();
    }),
  );
}

/** When the network had the first text of each number that begins so; milliseconds since 1970. */
function arrivals(run: LocalRun, to: string, prefix: string, numbers: string[]): Promise<number[]> {
  return waitUntil('Not every number spoke again', withinMs, async () => {
    const path = `/admin/messages?to=${to}`;
    const { data } = await run.simulator<{ data: { text: string; at: string }[] }>('GET', path);
    const found = data.filter(({ text }) => text.startsWith(prefix));
    const times = numbers.map((numberId) =>
      Math.min(...found.flatMap(({ text, at }) => (text.endsWith(numberId) ? Date.parse(at) : []))),
    );
    return times.every(Number.isFinite) ? times : null;
  });
}

/** The bridge of the gateway with the most numbers. */
function fullest(run: LocalRun): NamedBridge {
  const count = ({ bridgeId }: NamedBridge) => numbersOf(run, bridgeId).length;
  const [bridge] = namedBridges(run).toSorted((a, b) => count(b) - count(a));
  if (bridge === undefined) throw new Error('there is no bridge');
  return bridge;
}

/** What was granted to a bridge and not taken away since, by the logs. */
function numbersOf(run: LocalRun, bridgeId: string): string[] {
  const holders = new Map<string, { bridgeId: string; epoch: number }>();
  for (const entry of grants(run.logs().get('gateway.log') ?? '')) {
    const known = holders.get(entry.numberId);
    if (!known || known.epoch < entry.epoch) holders.set(entry.numberId, entry);
  }
  return [...holders].flatMap(([numberId, holder]) => (holder.bridgeId === bridgeId ? numberId : []));
}

/** The other bridges have the numbers of this one then, and it takes new ones. */
async function moveNumbersAway(run: LocalRun, bridgeId: string): Promise<void> {
  await asOperator(run, 'POST', `/${bridgeId}/drain`);
  await whenBridges(run, 'The bridge was not emptied', (all) =>
    all.some((bridge) => bridge.bridgeId === bridgeId && bridge.numbers === 0),
  );
  await asOperator(run, 'POST', `/${bridgeId}/resume`);
}

function grants(text: string): { numberId: string; bridgeId: string; epoch: number }[] {
  return text.split('\n').flatMap((line) => {
    if (!line.includes('"lease.granted"')) return [];
    return JSON.parse(line.slice(line.indexOf('{')));
  });
}
