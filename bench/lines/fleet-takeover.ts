import { randomUUID } from 'node:crypto';
import { waitUntil } from '../../src/local/wait-until.ts';
import { allLinked, type NamedBridge, namedBridges, pairNumbers } from '../bridge-side/local-fleet.ts';
import { LocalRun, unlimited } from '../bridge-side/local-run.ts';
import type { BenchLine, Figure } from '../line.ts';
import { median } from '../results.ts';

const bridges = 3;
const numbersEach = 40;
const recipient = '15550009999';
const withinMs = 60_000;

/** How a bridge ends, and what brings it back where it does not come back by itself. */
const faults = {
  frozen: {
    begin: ({ pid }: NamedBridge) => process.kill(pid, 'SIGSTOP'),
    end: ({ pid }: NamedBridge) => process.kill(pid, 'SIGCONT'),
  },
  killed: { begin: ({ pid }: NamedBridge) => process.kill(pid, 'SIGKILL'), end: () => {} },
};

export const line: BenchLine = {
  name: 'fleet-takeover',
  question: `How long is a number silent when its bridge freezes, or is killed, with ${bridges} bridges and ${bridges * numbersEach} numbers?`,
  leftOut:
    'A killed bridge is started again at once over its disk, and mostly keeps its numbers; a frozen one is what a machine that is gone looks like.',
  async run({ log, rounds }) {
    const run = await LocalRun.start({ ...unlimited, BRIDGES: String(bridges), HELIOGRAPH_DEMO: '0' });
    try {
      const keys = await pairNumbers(run, bridges * numbersEach);
      const figures: Figure[] = [];
      for (const [name, fault] of Object.entries(faults)) {
        const seen: { median: number; last: number }[] = [];
        for (let round = 1; round <= rounds; round += 1) {
          const silentMs = await silence(run, keys, fault);
          const last = Math.max(...silentMs);
          seen.push({ median: median(silentMs), last });
          log(
            `round ${round}, ${name}: ${silentMs.length} numbers, half of them silent for ${Math.round(median(silentMs))} ms at most, the last for ${Math.round(last)} ms`,
          );
        }
        const figure = (what: string, ours: number[], atMost: number): Figure => ({
          name: `${what}, bridge ${name}`,
          unit: 'ms',
          ours: median(ours),
          target: { of: 'ours', atMost },
          rounds: { ours },
        });
        figures.push(
          figure(
            'half of the numbers speak again',
            seen.map((one) => one.median),
            3_000,
          ),
          figure(
            'all speak again',
            seen.map(({ last }) => last),
            8_000,
          ),
        );
      }
      return figures;
    } finally {
      await run.discard();
    }
  },
};

/** For how long each number of the fullest bridge says nothing once that has ended, in milliseconds. */
async function silence(
  run: LocalRun,
  keys: Map<string, string>,
  fault: (typeof faults)[keyof typeof faults],
): Promise<number[]> {
  await run.signIn();
  const { bridge, numbers } = await fullest(run);
  const round = randomUUID();
  // The moment before, so that every number has just spoken, and none is found asleep.
  await sendAll(run, keys, numbers, `${round} before`);
  await arrivals(run, `${round} before`, numbers.length);
  fault.begin(bridge);
  const beganAt = Date.now();
  try {
    await sendAll(run, keys, numbers, `${round} after`);
    const arrived = await arrivals(run, `${round} after`, numbers.length);
    return arrived.map((at) => at - beganAt);
  } finally {
    fault.end(bridge);
    await allLinked(run);
  }
}

async function sendAll(
  run: LocalRun,
  keys: Map<string, string>,
  numbers: string[],
  text: string,
): Promise<void> {
  await Promise.all(
    numbers.map(async (numberId) => {
      const response = await fetch(`${run.baseUrl}/v1/messages/send`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': keys.get(numberId) ?? '' },
        body: JSON.stringify({ to: recipient, text: `${text} ${numberId}` }),
      });
      if (response.status !== 202) throw new Error(`a send was answered ${response.status}`);
      await response.body?.cancel();
    }),
  );
}

/** When the network had each of so many texts that begin so; milliseconds since 1970. */
function arrivals(run: LocalRun, prefix: string, count: number): Promise<number[]> {
  return waitUntil('Not every number spoke again', withinMs, async () => {
    const { data } = await run.simulator<{ data: { text: string; at: string }[] }>(
      'GET',
      `/admin/messages?to=${recipient}`,
    );
    const found = data.filter(({ text }) => text.startsWith(prefix));
    return found.length === count ? found.map(({ at }) => Date.parse(at)) : null;
  });
}

/** The bridge with the most numbers, and which ones: what was granted to it and not taken away since, by the logs. */
async function fullest(run: LocalRun): Promise<{ bridge: NamedBridge; numbers: string[] }> {
  const named = namedBridges(run);
  const holders = new Map<string, { bridgeId: string; epoch: number }>();
  for (const entry of grants(run.logs().get('gateway.log') ?? '')) {
    const known = holders.get(entry.numberId);
    if (!known || known.epoch < entry.epoch) holders.set(entry.numberId, entry);
  }
  const numbersOf = (bridgeId: string) =>
    [...holders].flatMap(([numberId, holder]) => (holder.bridgeId === bridgeId ? numberId : []));
  const [bridge] = named.toSorted((a, b) => numbersOf(b.bridgeId).length - numbersOf(a.bridgeId).length);
  if (bridge === undefined) throw new Error('there is no bridge');
  return { bridge, numbers: numbersOf(bridge.bridgeId) };
}

function grants(text: string): { numberId: string; bridgeId: string; epoch: number }[] {
  return text.split('\n').flatMap((line) => {
    if (!line.includes('"lease.granted"')) return [];
    return JSON.parse(line.slice(line.indexOf('{')));
  });
}
