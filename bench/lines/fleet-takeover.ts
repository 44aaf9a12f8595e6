import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { waitUntil } from '../../src/local/wait-until.ts';
import { OwnBridge } from '../../test/journeys/fleet/own-bridge.ts';
import { Wire } from '../../test/journeys/stage/wire.ts';
import { type NamedBridge, namedBridges, pairNumbers } from '../bridge-side/local-fleet.ts';
import { LocalRun, unlimited } from '../bridge-side/local-run.ts';
import type { BenchLine, Figure } from '../runner/line.ts';
import { median } from '../runner/results.ts';

const bridges = 3;
const numbersEach = 40;
const newFromMs = 1_000;
const newEveryMs = 500;
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
  'cut off from the edge': async ({ wired, wire }) => ({
    bridgeId: wired.bridgeId,
    begin: () => wire.cut(),
    end: () => wire.mend(),
  }),
};

export const line: BenchLine = {
  name: 'fleet-takeover',
  question: `How long is a number silent when its bridge freezes, is killed, or is cut off from the edge, with ${bridges} bridges and ${bridges * numbersEach} numbers?`,
  leftOut:
    'A killed bridge is started again at once over its disk, and mostly keeps its numbers; a frozen one is what a machine that is gone looks like.',
  async run({ log, rounds }) {
    const figures: Figure[] = [];
    for (const [name, lossOf] of Object.entries(losses)) {
      const seen: Silence[] = [];
      for (let round = 1; round <= rounds; round += 1) {
        const one = await inNewFleet(async (fleet, keys) => silence(fleet, keys, await lossOf(fleet)));
        seen.push(one);
        const half = (times: number[]) =>
          `half of them ${Math.round(median(times))} ms after, the last ${Math.round(Math.max(...times))}`;
        log(
          `round ${round}, ${name}: ${one.againMs.length} numbers speak again, ${half(one.againMs)}; what was said as it happened left, ${half(one.doubtfulMs)}; what was said since, ${half(one.newMs)}; ${one.loginsPerSecond.toFixed(0)} logins a second`,
        );
        log(`  half and last by step, in ms: ${one.steps}`);
      }
      figures.push(...figuresOf(name, seen));
    }
    return figures;
  },
};

/** Of its own for each loss: whoever has lost a bridge has its numbers on the others. */
async function inNewFleet<T>(use: (fleet: Fleet, keys: Map<string, string>) => Promise<T>): Promise<T> {
  const run = await LocalRun.start({ ...unlimited, BRIDGES: String(bridges - 1) });
  const [gatewayPort, networkPort] = [run.baseUrl, run.simulatorUrl].map((url) => Number(new URL(url).port));
  const wire = await Wire.to(gatewayPort ?? 0);
  const wired = new OwnBridge(run, { gatewayPort: wire.port, networkPort: networkPort ?? 0 });
  try {
    await wired.start();
    const keys = await pairNumbers(run, bridges * numbersEach);
    await run.signIn();
    return await use({ run, wired, wire }, keys);
  } finally {
    await wired.discard();
    wire.close();
    await run.discard();
  }
}

function figuresOf(name: string, seen: Silence[]): Figure[] {
  const figure = (
    what: string,
    of: (silence: Silence) => number,
    atMost: number | null,
    unit = 'ms',
  ): Figure => {
    const ours = seen.map(of);
    return {
      name: `${what}, bridge ${name}`,
      unit,
      ours: median(ours),
      target: atMost === null ? null : { of: 'ours', atMost },
      rounds: { ours },
    };
  };
  return [
    figure('half of the numbers speak again', ({ againMs }) => median(againMs), 3_000),
    figure('all speak again', ({ againMs }) => Math.max(...againMs), 8_000),
    figure('half of what was said as it happened', ({ doubtfulMs }) => median(doubtfulMs), null),
    figure('all that was said as it happened', ({ doubtfulMs }) => Math.max(...doubtfulMs), 8_000),
    figure('half of what was said since', ({ newMs }) => median(newMs), null),
    figure('all that was said since', ({ newMs }) => Math.max(...newMs), 8_000),
    figure('logins a second', ({ loginsPerSecond }) => loginsPerSecond, null, '1/s'),
  ];
}

/** By number, in milliseconds from the loss. */
interface Silence {
  /** Until the first text of any kind was on the network. */
  againMs: number[];
  /** Until the first of the texts that were accepted meanwhile was on the network: one each half second, after the first. */
  newMs: number[];
  /** Until the text was there that was sent in the moment of the loss: it may have left, so it is looked for first. */
  doubtfulMs: number[];
  /** From the first login of the bridges that take over to the last. */
  loginsPerSecond: number;
  /** When each step on the way was taken, for a reader. */
  steps: string;
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
  const silent = new Set(numbers);
  const probes = probe(silent, run, keys, `${round} new`, newRecipient);
  try {
    await sendAll(run, keys, numbers, `${round} after`, recipient);
    const [doubtful, first] = await Promise.all([
      arrivals(run, recipient, `${round} after`, numbers),
      arrivals(run, newRecipient, `${round} new`, numbers, silent),
    ]);
    const loginsPerSecond = loginRate(fleet, beganAt);
    const [doubtfulMs = [], newMs = []] = [doubtful, first].map((times) => times.map((at) => at - beganAt));
    const againMs = newMs.map((ms, index) => Math.min(ms, doubtfulMs[index] ?? ms));
    return { againMs, newMs, doubtfulMs, loginsPerSecond, steps: stepsSince(fleet, beganAt) };
  } finally {
    silent.clear();
    await probes;
    loss.end();
  }
}

/** Has every number that is silent say something new to somebody else, again and again. */
async function probe(
  silent: ReadonlySet<string>,
  run: LocalRun,
  keys: Map<string, string>,
  text: string,
  to: string,
): Promise<void> {
  await wait(newFromMs);
  for (let count = 0; silent.size > 0; count += 1) {
    await Promise.all([sendAll(run, keys, [...silent], `${text} ${count}`, to), wait(newEveryMs)]);
  }
}

/** Of the sessions that have opened since, over all bridges. */
function loginRate(fleet: Fleet, since: number): number {
  const [began, opened] = [
    timesOf(fleet, 'session.connecting', since),
    timesOf(fleet, 'session.connected', since),
  ];
  return opened.length / Math.max(0.001, (Math.max(...opened) - Math.min(...began)) / 1000);
}

const steps = ['lease.granted', 'edge.link_ready', 'session.connecting', 'session.connected'];

/** When the fleet gave the numbers to others, these had their links, and their sessions. */
function stepsSince(fleet: Fleet, since: number): string {
  const known = steps.flatMap((event) => {
    const times = timesOf(fleet, event, since).map((at) => at - since);
    return times.length === 0 ? [] : `${event} ${Math.round(median(times))}, ${Math.max(...times)}`;
  });
  return known.join('; ');
}

/** When this was logged since then, by the gateway or any bridge; milliseconds since 1970. */
function timesOf({ run, wired }: Fleet, event: string, since: number): number[] {
  const lines = [...run.logs().values(), wired.output].flatMap((text) => text.split('\n'));
  return lines.flatMap((text) => {
    if (!text.includes(`"${event}"`)) return [];
    const at = Date.parse(/"(?:time|at)":"([^"]+)"/.exec(text)?.[1] ?? '');
    return at >= since ? [at] : [];
  });
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

/**
 * When the network had the first text of each number that begins so; milliseconds since 1970. Those that it has are taken
 * out of `silent`.
 */
function arrivals(
  run: LocalRun,
  to: string,
  prefix: string,
  numbers: string[],
  silent = new Set<string>(),
): Promise<number[]> {
  return waitUntil('Not every number spoke again', withinMs, async () => {
    const path = `/admin/messages?to=${to}`;
    const { data } = await run.simulator<{ data: { text: string; at: string }[] }>('GET', path);
    const found = data.filter(({ text }) => text.startsWith(prefix));
    const times = numbers.map((numberId) =>
      Math.min(...found.flatMap(({ text, at }) => (text.endsWith(numberId) ? Date.parse(at) : []))),
    );
    for (const [index, at] of times.entries()) if (Number.isFinite(at)) silent.delete(numbers[index] ?? '');
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

function grants(text: string): { numberId: string; bridgeId: string; epoch: number }[] {
  return text.split('\n').flatMap((line) => {
    if (!line.includes('"lease.granted"')) return [];
    return JSON.parse(line.slice(line.indexOf('{')));
  });
}
