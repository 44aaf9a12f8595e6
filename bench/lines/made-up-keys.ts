import { randomBytes } from 'node:crypto';
import type { BenchLine, Figure } from '../line.ts';
import type { FloodReport } from '../processes/flood/flood-order.ts';
import { startFloodProcess } from '../processes/flood/flood-process.ts';
import type { LoadReport } from '../processes/load-order.ts';
import { startLoadProcess } from '../processes/load-process.ts';
import { median, percentile } from '../results.ts';
import { BenchCustomer } from '../stage/customer.ts';
import { withGateway } from '../stage/gateway.ts';
import { cpuMsOf } from '../stage/workerd-cpu.ts';

const madeUpPerSecond = 2000;
/** As few as share the flood, and so many that none of them has to wait. */
const addresses = { few: 20, many: 4000 };
const sendsPerSecond = 50;
const roundSeconds = 8;
const warmUpSeconds = 2;
const ratioMax = 2;

type From = keyof typeof addresses;
interface Round {
  alone: LoadReport;
  beside: LoadReport;
  flood: FloodReport;
  /** CPU time of workerd for each made-up key, less what the sends took by themselves. */
  cpuMsEach: number;
}

export const line: BenchLine = {
  name: 'made-up-keys',
  question:
    `How long do the sends of a customer take at the p99 (${sendsPerSecond} a second) beside ${madeUpPerSecond} requests a second ` +
    `with made-up keys from ${addresses.few} addresses, and from ${addresses.many}, against the same without them?`,
  leftOut:
    'Both load generators share the machine with the gateway. On the platform the isolate that refuses them is rarely the ' +
    'one that serves the customer.',
  async run({ log, rounds }) {
    const [flooder, sender] = [startFloodProcess(), startLoadProcess()];
    try {
      return await withGateway({}, async ({ edge, network, secrets }) => {
        const customer = await BenchCustomer.join(edge.url, secrets);
        await customer.pairNumber(network.adminUrl, '628120000100', {});
        const url = `${edge.url}/v1/messages/send`;
        const send = (seconds: number) =>
          sender.ask({
            url,
            connections: 16,
            seconds,
            perSecond: sendsPerSecond,
            headers: [{ 'x-api-key': customer.apiKey }],
            bodies: Array.from({ length: 100 }, (_, index) =>
              JSON.stringify({ to: String(15550010000 + index), text: 'Your order has left our house.' }),
            ),
          });
        const flood = (from: From, seconds: number) =>
          flooder.ask({
            url,
            connections: 64,
            seconds,
            perSecond: madeUpPerSecond,
            headers: Array.from({ length: addresses.many }, (_, index) => ({
              'x-api-key': madeUpKey(),
              'cf-connecting-ip': addressOf(from, index % addresses[from]),
            })),
            body: JSON.stringify({ to: '15550010000', text: 'x' }),
          });
        const cpuMs = () => cpuMsOf(edge.workerdPid) ?? Number.NaN;
        const round = async (from: From): Promise<Round> => {
          const cpuBefore = cpuMs();
          const alone = taken(await send(roundSeconds));
          const cpuBetween = cpuMs();
          const [flooded, beside] = await Promise.all([flood(from, roundSeconds + 1), send(roundSeconds)]);
          const cpuOfFlood = cpuMs() - cpuBetween - (cpuBetween - cpuBefore);
          const cpuMsEach = cpuOfFlood / flooded.answered;
          return { alone, beside: taken(beside), flood: allRefused(flooded), cpuMsEach };
        };
        await send(warmUpSeconds);
        await flood('few', warmUpSeconds);
        const done: Record<From, Round[]> = { few: [], many: [] };
        for (let turn = 1; turn <= rounds; turn += 1) {
          for (const from of ['few', 'many'] as const) {
            const measured = await round(from);
            done[from].push(measured);
            log(`round ${turn}, from ${addresses[from]} addresses: ${described(measured)}`);
          }
        }
        return [...figuresOf('few', done.few), ...figuresOf('many', done.many)];
      });
    } finally {
      await Promise.all([flooder.stop(), sender.stop()]);
    }
  },
};

/** Of the form of a key, as 190 random bits make it. */
function madeUpKey(): string {
  const characters = randomBytes(120)
    .toString('base64')
    .replaceAll(/[^0-9A-Za-z]/g, '');
  return `sk_live_${characters.slice(0, 60)}`;
}

const addressOf = (from: From, index: number) =>
  `10.${from === 'few' ? 1 : 2}.${Math.floor(index / 256)}.${index % 256}`;
const latencyAt = (share: number) => (report: LoadReport) => percentile(report.latenciesMs, share);
const p99 = latencyAt(0.99);
const rateOf = ({ answered, elapsedMs }: FloodReport) => answered / (elapsedMs / 1000);

const described = ({ alone, beside, flood, cpuMsEach }: Round) =>
  `p99 ${p99(alone).toFixed(1)} ms alone, ${p99(beside).toFixed(1)} ms beside ${Math.round(rateOf(flood))} refused a second ` +
  `(${JSON.stringify(flood.statuses)}); CPU of workerd ${cpuMsEach.toFixed(2)} ms each, ` +
  `of the flood ${(flood.cpuMs / flood.answered).toFixed(2)}`;

function taken(report: LoadReport): LoadReport {
  if (report.statuses[202] === report.latenciesMs.length) return report;
  throw new Error(`not every send was accepted: ${JSON.stringify(report.statuses)}`);
}

function allRefused(report: FloodReport): FloodReport {
  const { 401: unknown = 0, 429: tooMany = 0 } = report.statuses;
  if (unknown + tooMany === report.answered) return report;
  throw new Error(`a made-up key was not refused: ${JSON.stringify(report.statuses)}`);
}

function figuresOf(from: From, rounds: Round[]): Figure[] {
  const beside = `beside made-up keys from ${addresses[from]} addresses`;
  const compared = (
    name: string,
    figure: (report: LoadReport) => number,
    target: Figure['target'],
  ): Figure => {
    const ours = rounds.map((round) => figure(round.beside));
    const counterpart = rounds.map((round) => figure(round.alone));
    return {
      name: `${name} of a send ${beside}`,
      unit: 'ms',
      ours: median(ours),
      counterpart: median(counterpart),
      target,
      rounds: { ours, counterpart },
    };
  };
  const shown = (name: string, unit: string, figure: (round: Round) => number): Figure => {
    const ours = rounds.map(figure);
    return { name, unit, ours: median(ours), target: null, rounds: { ours } };
  };
  return [
    compared('p99', p99, { of: 'ratio', atMost: ratioMax }),
    compared('p50', latencyAt(0.5), null),
    shown(`made-up keys refused, from ${addresses[from]} addresses`, '/ s', ({ flood }) => rateOf(flood)),
    shown(`CPU of such a refusal, from ${addresses[from]} addresses`, 'ms', ({ cpuMsEach }) => cpuMsEach),
  ];
}
