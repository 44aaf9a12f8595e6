import type { BenchLine, Figure } from '../runner/line.ts';
import { median } from '../runner/results.ts';
import { described, latencyAt, type Round, rateOf, withAcceptance } from '../stage/acceptance.ts';

const batchSize = 100;
const batchConnections = 4;
const bareConnections = 32;
const roundSeconds = 3;
const warmUpSeconds = 2;
const ratioMin = 0.6;

export const line: BenchLine = {
  name: 'accepted-batches',
  question:
    `How many messages a second are accepted by POST /v1/messages/send-batch with ${batchSize} each, against the requests a ` +
    'second of a bare Hono route in the same workerd?',
  leftOut:
    'As with accepted-sends. The log takes most of them behind the answers, and is waited for between the rounds.',
  async run({ log, rounds }) {
    return withAcceptance(async ({ urls, bodies, round }) => {
      const batches = Array.from({ length: bodies.length / batchSize }, (_, index) => {
        const messages = bodies.slice(index * batchSize, (index + 1) * batchSize);
        return `{"messages":[${messages.join(',')}]}`;
      });
      const bare = (seconds: number) =>
        round({ url: urls.bare, bodies, connections: bareConnections, seconds });
      const batch = (seconds: number) =>
        round({ url: urls.sendBatch, bodies: batches, connections: batchConnections, seconds });
      await bare(warmUpSeconds);
      await batch(warmUpSeconds);
      const measured: Record<'bare' | 'batch', Round[]> = { bare: [], batch: [] };
      for (let index = 1; index <= rounds; index += 1) {
        measured.bare.push(await bare(roundSeconds));
        measured.batch.push(await batch(roundSeconds));
        for (const name of ['bare', 'batch'] as const) {
          const last = measured[name].at(-1);
          if (last !== undefined) log(`round ${index}, ${name}: ${described(last)}`);
        }
      }
      return figuresOf(measured.batch, measured.bare);
    });
  },
};

function figuresOf(batch: readonly Round[], bare: readonly Round[]): Figure[] {
  const rates = { ours: batch.map((round) => batchSize * rateOf(round)), counterpart: bare.map(rateOf) };
  const alone = (name: string, unit: string, of: (round: Round) => number): Figure => {
    const ours = batch.map(of);
    return { name, unit, ours: median(ours), target: null, rounds: { ours } };
  };
  return [
    {
      name: 'messages accepted',
      unit: '/ s',
      ours: median(rates.ours),
      counterpart: median(rates.counterpart),
      target: { of: 'ratio', atLeast: ratioMin },
      rounds: rates,
    },
    alone('p50 of a batch', 'ms', latencyAt(0.5)),
    alone('p99 of a batch', 'ms', latencyAt(0.99)),
    alone(
      'CPU of workerd, the log included',
      'ms a message',
      ({ cpuMs, latenciesMs }) => cpuMs / (latenciesMs.length * batchSize),
    ),
  ];
}
