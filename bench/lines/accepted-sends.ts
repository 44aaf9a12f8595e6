import type { BenchLine, Figure } from '../runner/line.ts';
import { median } from '../runner/results.ts';
import {
  type AcceptanceStage,
  cpuMsEach,
  described,
  latencyAt,
  type Round,
  rateOf,
  withAcceptance,
} from '../stage/acceptance.ts';

const connections = 32;
const warmUpSeconds = 2;
const rateRatioMin = 0.14;
const aloneMsMax = 8;
const aloneRatioMax = 2;

interface Load {
  to: keyof AcceptanceStage['urls'];
  connections: number;
  seconds: number;
}

const loads = {
  bare: { to: 'bare', connections, seconds: 3 },
  oneRow: { to: 'oneRow', connections, seconds: 3 },
  workerAlone: { to: 'workerAlone', connections, seconds: 3 },
  gateway: { to: 'send', connections, seconds: 4 },
  oneRowByOne: { to: 'oneRow', connections: 1, seconds: 2 },
  gatewayByOne: { to: 'send', connections: 1, seconds: 3 },
} as const satisfies Record<string, Load>;
type Name = keyof typeof loads;
const names = Object.keys(loads) as Name[];

export const line: BenchLine = {
  name: 'accepted-sends',
  question:
    `How many sends a second are accepted over ${connections} connections (4 numbers, key, quota, Idempotency-Key, durable ` +
    'commit), against a bare Hono route in the same workerd; and how long does one take that is alone, against one object ' +
    'that stores one row?',
  leftOut:
    'The distance between Worker and object, and what the network then does: the numbers pace themselves as they do by ' +
    'default, so nearly all messages wait in their account. The load generator shares the machine.',
  async run({ log, rounds }) {
    return withAcceptance(async ({ urls, bodies, round }) => {
      const run = (name: Name, seconds: number) => {
        const { to, connections: width } = loads[name];
        return round({ url: urls[to], bodies, connections: width, seconds });
      };
      for (const name of names) await run(name, warmUpSeconds);
      const measured = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<
        Name,
        Round[]
      >;
      for (let index = 1; index <= rounds; index += 1) {
        for (const name of names) {
          const report = await run(name, loads[name].seconds);
          measured[name].push(report);
          log(`round ${index}, ${name}: ${described(report)}`);
        }
      }
      return figuresOf(measured);
    });
  },
};

function figuresOf(rounds: Record<Name, Round[]>): Figure[] {
  const figure = (
    name: string,
    unit: string,
    of: (round: Round) => number,
    ours: Name,
    against: Name,
    target: Figure['target'] = null,
  ): Figure => {
    const measured = { ours: rounds[ours].map(of), counterpart: rounds[against].map(of) };
    const [own, other] = [median(measured.ours), median(measured.counterpart)];
    return { name, unit, ours: own, counterpart: other, target, rounds: measured };
  };
  return [
    figure('accepted', '/ s', rateOf, 'gateway', 'bare', { of: 'ratio', atLeast: rateRatioMin }),
    figure('p50', 'ms', latencyAt(0.5), 'gateway', 'bare'),
    figure('p99', 'ms', latencyAt(0.99), 'gateway', 'bare'),
    figure('CPU of workerd', 'ms a request', cpuMsEach, 'gateway', 'bare'),
    figure('median at one connection', 'ms', latencyAt(0.5), 'gatewayByOne', 'oneRowByOne', {
      of: 'ours',
      atMost: aloneMsMax,
    }),
    figure(
      'median at one connection, by one object with one row',
      'ms',
      latencyAt(0.5),
      'gatewayByOne',
      'oneRowByOne',
      {
        of: 'ratio',
        atMost: aloneRatioMax,
      },
    ),
    figure('p99 at one connection', 'ms', latencyAt(0.99), 'gatewayByOne', 'oneRowByOne'),
    // The platform's part: one object and one row for each request by itself, and nothing else.
    figure('accepted, against one object with one row', '/ s', rateOf, 'gateway', 'oneRow'),
    figure('CPU of workerd, one object with one row', 'ms a request', cpuMsEach, 'oneRow', 'bare'),
    // What no object could change: the same Worker, and an account that answers without a call.
    figure('the Worker alone, without its objects', '/ s', rateOf, 'workerAlone', 'bare'),
    figure('CPU of workerd, the Worker alone', 'ms a request', cpuMsEach, 'workerAlone', 'bare'),
  ];
}
