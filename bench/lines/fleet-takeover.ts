import { randomUUID } from 'node:crypto';
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
const recipient = '15550009999';
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
        const seen: { median: number; last: number }[] = [];
        for (let round = 1; round <= rounds; round += 1) {
          await run.signIn();
          const silentMs = await silence(run, keys, await lossOf({ run, wired, wire }));
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
      await wired.discard();
      wire.close();
      await run.discard();
    }
  },
};

/** For how long each number of a bridge says nothing once that has fallen silent, in milliseconds. */
async function silence(run: LocalRun, keys: Map<string, string>, loss: Loss): Promise<number[]> {
  const numbers = numbersOf(run, loss.bridgeId);
  const round = randomUUID();
  // The moment before, so that every number has just spoken, and none is found asleep.
  await sendAll(run, keys, numbers, `${round} before`);
  await arrivals(run, `${round} before`, numbers.length);
  loss.begin();
  const beganAt = Date.now();
  try {
    await sendAll(run, keys, numbers, `${round} after`);
    const arrived = await arrivals(run, `${round} after`, numbers.length);
    return arrived.map((at) => at - beganAt);
  } finally {
    loss.end();
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
