import type { BenchLine, Figure } from '../line.ts';
import type { LoadReport } from '../processes/load-order.ts';
import { startLoadProcess } from '../processes/load-process.ts';
import { median, percentile } from '../results.ts';
import { BenchCustomer } from '../stage/customer.ts';
import { withGateway } from '../stage/gateway.ts';
import { buildNeighbour } from '../stage/neighbour.ts';

const connections = 32;
const numbers = 4;
const recipients = 1000;
const roundSeconds = 5;
const warmUpSeconds = 3;
const rateRatioMin = 0.3;
const p99RatioMax = 10;

export const line: BenchLine = {
  name: 'accepted-sends',
  question:
    `How many sends a second are accepted over ${connections} connections (${numbers} numbers, key, quota, Idempotency-Key, ` +
    'durable commit), against a bare Hono route in the same workerd?',
  leftOut:
    'The distance between Worker and object, and what the network then does: the numbers pace themselves as they do by ' +
    'default, so nearly all messages wait in their outboxes. The load generator shares the machine.',
  async run({ log, rounds }) {
    const neighbour = { contents: await buildNeighbour() };
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
        const gateway = { ...order, url: `${edge.url}/v1/messages/send` };
        const bare = { ...order, url: `${edge.neighbourUrl}/` };
        await load.ask({ ...bare, seconds: warmUpSeconds });
        await load.ask({ ...gateway, seconds: warmUpSeconds });
        const [ours, theirs]: [LoadReport[], LoadReport[]] = [[], []];
        for (let round = 1; round <= rounds; round += 1) {
          theirs.push(accepted(await load.ask({ ...bare, seconds: roundSeconds })));
          ours.push(accepted(await load.ask({ ...gateway, seconds: roundSeconds })));
          log(`round ${round}: ${described(ours.at(-1))}; bare ${described(theirs.at(-1))}`);
        }
        return figuresOf(ours, theirs);
      });
    } finally {
      await load.stop();
    }
  },
};

/** A round with a refusal in it has measured something else. */
function accepted(report: LoadReport): LoadReport {
  const { 202: taken = 0, ...others } = report.statuses;
  if (taken !== report.latenciesMs.length)
    throw new Error(`not all were accepted: ${JSON.stringify(others)}`);
  return report;
}

const rateOf = ({ latenciesMs, elapsedMs }: LoadReport) => latenciesMs.length / (elapsedMs / 1000);

const described = (report: LoadReport | undefined) =>
  report === undefined
    ? ''
    : `${Math.round(rateOf(report))}/s, p50 ${percentile(report.latenciesMs, 0.5).toFixed(1)} ms, ` +
      `p99 ${percentile(report.latenciesMs, 0.99).toFixed(1)} ms`;

function figuresOf(ours: readonly LoadReport[], theirs: readonly LoadReport[]): Figure[] {
  const figure = (
    name: string,
    unit: string,
    target: Figure['target'],
    of: (report: LoadReport) => number,
  ): Figure => {
    const rounds = { ours: ours.map(of), counterpart: theirs.map(of) };
    return { name, unit, ours: median(rounds.ours), counterpart: median(rounds.counterpart), target, rounds };
  };
  return [
    figure('accepted', '/ s', { of: 'ratio', atLeast: rateRatioMin }, rateOf),
    figure('p50', 'ms', null, ({ latenciesMs }) => percentile(latenciesMs, 0.5)),
    figure('p99', 'ms', { of: 'ratio', atMost: p99RatioMax }, ({ latenciesMs }) =>
      percentile(latenciesMs, 0.99),
    ),
  ];
}
