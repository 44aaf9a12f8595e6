import { randomBytes } from 'node:crypto';
import type { BenchLine, Figure } from '../line.ts';
import type { LoadReport } from '../processes/load-order.ts';
import { startLoadProcess } from '../processes/load-process.ts';
import { median, percentile } from '../results.ts';
import { BenchCustomer } from '../stage/customer.ts';
import { withGateway } from '../stage/gateway.ts';

const madeUpPerSecond = 2000;
const addresses = 20;
const sendsPerSecond = 20;
const roundSeconds = 5;
const warmUpSeconds = 2;
const ratioMax = 2;

export const line: BenchLine = {
  name: 'made-up-keys',
  question:
    `How long do the sends of a customer take at the p99 (${sendsPerSecond} a second) beside ${madeUpPerSecond} requests a second ` +
    `with made-up keys from ${addresses} addresses, against the same without them?`,
  leftOut:
    'Both load generators share the machine with the gateway. On the platform the isolate that refuses them is rarely the ' +
    'one that serves the customer.',
  async run({ log, rounds }) {
    const [attacker, sender] = [startLoadProcess(), startLoadProcess()];
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
        const attack = (seconds: number) =>
          attacker.ask({
            url,
            connections: 64,
            seconds,
            perSecond: madeUpPerSecond,
            headers: Array.from({ length: 5000 }, (_, index) => ({
              'x-api-key': madeUpKey(),
              'cf-connecting-ip': `10.0.0.${index % addresses}`,
            })),
            bodies: [JSON.stringify({ to: '15550010000', text: 'x' })],
          });
        await send(warmUpSeconds);
        await attack(warmUpSeconds);
        const alone: LoadReport[] = [];
        const beside: LoadReport[] = [];
        const attacks: LoadReport[] = [];
        for (let round = 1; round <= rounds; round += 1) {
          alone.push(taken(await send(roundSeconds)));
          const [refused, sent] = await Promise.all([attack(roundSeconds + 1), send(roundSeconds)]);
          beside.push(taken(sent));
          attacks.push(allRefused(refused));
          log(
            `round ${round}: p99 ${p99(alone.at(-1)).toFixed(1)} ms alone, ${p99(sent).toFixed(1)} ms beside ` +
              `${Math.round(rateOf(refused))} refused a second (${JSON.stringify(refused.statuses)})`,
          );
        }
        return figuresOf(beside, alone, attacks);
      });
    } finally {
      await Promise.all([attacker.stop(), sender.stop()]);
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

const p99 = (report: LoadReport | undefined) => percentile(report?.latenciesMs ?? [], 0.99);
const rateOf = ({ latenciesMs, elapsedMs }: LoadReport) => latenciesMs.length / (elapsedMs / 1000);

function taken(report: LoadReport): LoadReport {
  if (report.statuses[202] === report.latenciesMs.length) return report;
  throw new Error(`not every send was accepted: ${JSON.stringify(report.statuses)}`);
}

function allRefused(report: LoadReport): LoadReport {
  const { 401: unknown = 0, 429: tooMany = 0 } = report.statuses;
  if (unknown + tooMany === report.latenciesMs.length) return report;
  throw new Error(`a made-up key was not refused: ${JSON.stringify(report.statuses)}`);
}

function figuresOf(beside: LoadReport[], alone: LoadReport[], attacks: LoadReport[]): Figure[] {
  const of = (name: string, figure: (report: LoadReport) => number, target: Figure['target']): Figure => {
    const rounds = { ours: beside.map(figure), counterpart: alone.map(figure) };
    const [ours, counterpart] = [median(rounds.ours), median(rounds.counterpart)];
    return { name, unit: 'ms', ours, counterpart, target, rounds };
  };
  const refused = attacks.map(rateOf);
  return [
    of('p99 of a send beside made-up keys', p99, { of: 'ratio', atMost: ratioMax }),
    of('p50 of a send beside made-up keys', ({ latenciesMs }) => percentile(latenciesMs, 0.5), null),
    {
      name: 'made-up keys refused',
      unit: '/ s',
      ours: median(refused),
      target: null,
      rounds: { ours: refused },
    },
  ];
}
