import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { openFront } from '../../src/local/gateway/front.ts';
import type { FloodReport } from '../processes/flood/flood-order.ts';
import { startFloodProcess } from '../processes/flood/flood-process.ts';
import type { LoadReport } from '../processes/load-order.ts';
import { startLoadProcess } from '../processes/load-process.ts';
import type { BenchLine, Figure } from '../runner/line.ts';
import { median, percentile } from '../runner/results.ts';
import { BenchCustomer } from '../stage/customer.ts';
import { withGateway } from '../stage/gateway.ts';
import { cpuMsOf } from '../stage/workerd-cpu.ts';

const madeUpPerSecond = 2000;
/**
 * Through the front, as `npm start` has it, from as few addresses as share the flood, and from so many that none of them
 * has to wait; and past it, straight at the runtime.
 */
const floods = {
  few: { addresses: 20, to: 'front' },
  many: { addresses: 4000, to: 'front' },
  runtime: { addresses: 4000, to: 'runtime' },
} as const;
const sendsPerSecond = 50;
const roundSeconds = 12;
const warmUpSeconds = 2;
const ratioMax = 2;
/** Believed as the gateway behind a proxy believes it. */
const addressHeader = 'cf-connecting-ip';

type Name = keyof typeof floods;
const names = Object.keys(floods) as Name[];
interface Round {
  alone: LoadReport;
  beside: LoadReport;
  flood: FloodReport;
  /** CPU time of workerd and of the front for each made-up key, less what the sends took by themselves. */
  cpuMsEach: number;
}

export const line: BenchLine = {
  name: 'made-up-keys',
  question:
    `How long do the sends of a customer take at the p99 (${sendsPerSecond} a second) beside ${madeUpPerSecond} requests a second ` +
    `with made-up keys from ${floods.few.addresses} addresses, and from ${floods.many.addresses}, against the same without them?`,
  leftOut:
    'Both load generators share the machine with the gateway. On the platform there is no front, and the isolate that ' +
    'refuses them is rarely the one that serves the customer.',
  async run({ log, rounds }) {
    const [flooder, sender] = [startFloodProcess(), startLoadProcess()];
    try {
      return await withGateway({}, async ({ edge, network, secrets }) => {
        const customer = await BenchCustomer.join(edge.url, secrets);
        await customer.pairNumber(network.adminUrl, '628120000100', {});
        const front = await openFront({
          port: 0,
          hosts: ['127.0.0.1'],
          runtime: new URL(edge.url),
          addressHeader,
          isKnownHost: () => true,
          isDiskFull: () => false,
          checksumSecrets: [secrets.keyChecksumSecret],
        });
        const [port] = front.map((server) => (server.address() as AddressInfo).port);
        const origins = { front: `http://127.0.0.1:${port}`, runtime: edge.url };
        const urlOf = (name: Name) => `${origins[floods[name].to]}/v1/messages/send`;
        const send = (name: Name, seconds: number) =>
          sender.ask({
            url: urlOf(name),
            connections: 16,
            seconds,
            perSecond: sendsPerSecond,
            headers: [{ 'x-api-key': customer.apiKey }],
            bodies: Array.from({ length: 100 }, (_, index) =>
              JSON.stringify({ to: String(15550010000 + index), text: 'Your order has left our house.' }),
            ),
          });
        const flood = (name: Name, seconds: number) =>
          flooder.ask({
            url: urlOf(name),
            connections: 64,
            seconds,
            perSecond: madeUpPerSecond,
            headers: Array.from({ length: floods.many.addresses }, (_, index) => ({
              'x-api-key': madeUpKey(),
              [addressHeader]: addressOf(name, index % floods[name].addresses),
            })),
            body: JSON.stringify({ to: '15550010000', text: 'x' }),
          });
        const cpuMs = () => (cpuMsOf(edge.workerdPid) ?? Number.NaN) + (cpuMsOf(process.pid) ?? Number.NaN);
        const round = async (name: Name): Promise<Round> => {
          const cpuBefore = cpuMs();
          const alone = taken(await send(name, roundSeconds));
          const cpuBetween = cpuMs();
          const [flooded, beside] = await Promise.all([flood(name, roundSeconds), send(name, roundSeconds)]);
          const cpuOfFlood = cpuMs() - cpuBetween - (cpuBetween - cpuBefore);
          const cpuMsEach = cpuOfFlood / flooded.answered;
          return { alone, beside: taken(beside), flood: allRefused(flooded), cpuMsEach };
        };
        await send('few', warmUpSeconds);
        for (const name of ['few', 'many'] as const) await flood(name, warmUpSeconds);
        const done: Record<Name, Round[]> = { few: [], many: [], runtime: [] };
        const measure = async (name: Name, turn: number) => {
          const measured = await round(name);
          done[name].push(measured);
          log(`round ${turn}, ${whereOf(name)}: ${described(measured)}`);
        };
        for (let turn = 1; turn <= rounds; turn += 1) {
          await measure('few', turn);
          await measure('many', turn);
        }
        // Behind the others: what it leaves in the runtime is collected later.
        for (let turn = 1; turn <= rounds; turn += 1) await measure('runtime', turn);
        for (const server of front) {
          server.close();
          server.closeAllConnections();
        }
        return names.flatMap((name) => figuresOf(name, done[name]));
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

const addressOf = (name: Name, index: number) =>
  `10.${names.indexOf(name)}.${Math.floor(index / 256)}.${index % 256}`;
const whereOf = (name: Name) =>
  `from ${floods[name].addresses} addresses${floods[name].to === 'runtime' ? ', past the front' : ''}`;
const latencyAt = (share: number) => (report: LoadReport) => percentile(report.latenciesMs, share);
const p99 = latencyAt(0.99);
const rateOf = ({ answered, elapsedMs }: FloodReport) => answered / (elapsedMs / 1000);

const described = ({ alone, beside, flood, cpuMsEach }: Round) =>
  `p99 ${p99(alone).toFixed(1)} ms alone, ${p99(beside).toFixed(1)} ms beside ${Math.round(rateOf(flood))} refused a second ` +
  `(${JSON.stringify(flood.statuses)}); CPU of workerd and front ${cpuMsEach.toFixed(2)} ms each, ` +
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

function figuresOf(name: Name, rounds: Round[]): Figure[] {
  const where = whereOf(name);
  // Of all rounds together: a single one has six sends beyond its p99.
  const compared = (figureName: string, share: number, target: Figure['target']): Figure => {
    const latency = latencyAt(share);
    const together = (of: (round: Round) => LoadReport) =>
      percentile(
        rounds.flatMap((round) => of(round).latenciesMs),
        share,
      );
    return {
      name: `${figureName} of a send beside made-up keys ${where}`,
      unit: 'ms',
      ours: together(({ beside }) => beside),
      counterpart: together(({ alone }) => alone),
      target,
      rounds: {
        ours: rounds.map(({ beside }) => latency(beside)),
        counterpart: rounds.map(({ alone }) => latency(alone)),
      },
    };
  };
  const shown = (figureName: string, unit: string, figure: (round: Round) => number): Figure => {
    const ours = rounds.map(figure);
    return { name: figureName, unit, ours: median(ours), target: null, rounds: { ours } };
  };
  return [
    compared('p99', 0.99, { of: 'ratio', atMost: ratioMax }),
    compared('p95', 0.95, null),
    compared('p50', 0.5, null),
    shown(`made-up keys refused, ${where}`, '/ s', ({ flood }) => rateOf(flood)),
    shown(`CPU of such a refusal, ${where}`, 'ms', ({ cpuMsEach }) => cpuMsEach),
  ];
}
