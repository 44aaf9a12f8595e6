import type { BenchLine, Figure } from '../line.ts';
import type { LoadOrder, LoadReport } from '../processes/load-order.ts';
import { startLoadProcess } from '../processes/load-process.ts';
import { median, percentile } from '../results.ts';
import { BenchCustomer } from '../stage/customer.ts';
import { withGateway } from '../stage/gateway.ts';
import { buildNeighbour } from '../stage/neighbour.ts';
import { cpuMsOf, untilIdle } from '../stage/workerd-cpu.ts';

const connections = 32;
const numbers = 4;
const recipients = 1000;
const roundSeconds = { bare: 3, twoObjects: 3, workerAlone: 3, gateway: 4 };
const warmUpSeconds = 2;
/** What a round has accepted is projected to D1 behind it; the next round begins when that is over. */
const settleMsMax = 10_000;
const rateRatioMin = 0.3;
const p99RatioMax = 10;

type Route = keyof typeof roundSeconds;
const routes: Route[] = ['bare', 'twoObjects', 'workerAlone', 'gateway'];

/** A round, and the CPU that workerd took for each of its requests, also behind the answers. */
interface Round extends LoadReport {
  cpuMsEach: number;
  settledAfterMs: number;
}

export const line: BenchLine = {
  name: 'accepted-sends',
  question:
    `How many sends a second are accepted over ${connections} connections (${numbers} numbers, key, quota, Idempotency-Key, ` +
    'durable commit), against a bare Hono route in the same workerd?',
  leftOut:
    'The distance between Worker and object, and what the network then does: the numbers pace themselves as they do by ' +
    'default, so nearly all messages wait in their outboxes. The load generator shares the machine.',
  async run({ log, rounds }) {
    const neighbour = await buildNeighbour();
    const load = startLoadProcess();
    try {
      return await withGateway({ neighbour }, async ({ edge, network, secrets }) => {
        const customer = await BenchCustomer.join(edge.url, secrets);
        for (let index = 0; index < numbers; index += 1) {
          await customer.pairNumber(network.adminUrl, `62812000010${index}`, {});
        }
        const order = {
          connections,
          headers: { 'x-api-key': customer.apiKey },
          bodies: Array.from({ length: recipients }, (_, index) =>
            JSON.stringify({
              to: String(15550010000 + index),
              text: `Your order ${index} has left our house.`,
            }),
          ),
        };
        const orders: Record<Route, Omit<LoadOrder, 'seconds'>> = {
          bare: { ...order, url: `${edge.neighbourUrl}/` },
          twoObjects: { ...order, url: `${edge.neighbourUrl}/two-objects` },
          workerAlone: { ...order, url: `${edge.workerAloneUrl}/v1/messages/send` },
          gateway: { ...order, url: `${edge.url}/v1/messages/send` },
        };
        const runRound = async (route: Route, seconds: number): Promise<Round> => {
          const cpuBefore = cpuMsOf(edge.workerdPid) ?? Number.NaN;
          const report = accepted(await load.ask({ ...orders[route], seconds }));
          const settledAfterMs = await untilIdle(edge.workerdPid, settleMsMax);
          const cpuMs = (cpuMsOf(edge.workerdPid) ?? Number.NaN) - cpuBefore;
          return { ...report, settledAfterMs, cpuMsEach: cpuMs / report.latenciesMs.length };
        };
        for (const route of routes) await runRound(route, warmUpSeconds);
        const measured: Record<Route, Round[]> = { bare: [], twoObjects: [], workerAlone: [], gateway: [] };
        for (let round = 1; round <= rounds; round += 1) {
          for (const route of routes) {
            const report = await runRound(route, roundSeconds[route]);
            measured[route].push(report);
            log(`round ${round}, ${route}: ${described(report)}`);
          }
        }
        return figuresOf(measured);
      });
    } finally {
      await load.stop();
    }
  },
};

/** A round with a refusal in it has measured something else. */
function accepted(report: LoadReport): LoadReport {
  const { 202: taken = 0, ...others } = report.statuses;
  if (taken === report.latenciesMs.length) return report;
  throw new Error(`not all were accepted: ${JSON.stringify(others)}`);
}

const rateOf = ({ latenciesMs, elapsedMs }: LoadReport) => latenciesMs.length / (elapsedMs / 1000);
const latencyAt = (share: number) => (report: LoadReport) => percentile(report.latenciesMs, share);

const described = (round: Round) =>
  `${Math.round(rateOf(round))}/s, p50 ${latencyAt(0.5)(round).toFixed(1)} ms, p99 ${latencyAt(0.99)(round).toFixed(1)} ms, ` +
  `CPU of workerd ${round.cpuMsEach.toFixed(2)} ms each, quiet again after ${(round.settledAfterMs / 1000).toFixed(1)} s`;

function figuresOf({ gateway, bare, twoObjects, workerAlone }: Record<Route, Round[]>): Figure[] {
  const figure = (
    name: string,
    unit: string,
    of: (round: Round) => number,
    target: Figure['target'] = null,
    { ours = gateway, against = bare }: { ours?: readonly Round[]; against?: readonly Round[] } = {},
  ): Figure => {
    const rounds = { ours: ours.map(of), counterpart: against.map(of) };
    return { name, unit, ours: median(rounds.ours), counterpart: median(rounds.counterpart), target, rounds };
  };
  return [
    figure('accepted', '/ s', rateOf, { of: 'ratio', atLeast: rateRatioMin }),
    figure('p50', 'ms', latencyAt(0.5)),
    figure('p99', 'ms', latencyAt(0.99), { of: 'ratio', atMost: p99RatioMax }),
    figure('CPU of workerd', 'ms a request', ({ cpuMsEach }) => cpuMsEach),
    // The platform's part: the same way through two objects, a row in each, and nothing else.
    figure('accepted, against two bare objects', '/ s', rateOf, null, { against: twoObjects }),
    // What no object could change: the same Worker, and an account that answers without a call.
    figure('the Worker alone, without its objects', '/ s', rateOf, null, { ours: workerAlone }),
    figure('CPU of workerd, the Worker alone', 'ms a request', ({ cpuMsEach }) => cpuMsEach, null, {
      ours: workerAlone,
    }),
  ];
}
