import { startReceiversProcess } from '../../processes/receivers-process.ts';
import type { BenchLine, Figure } from '../../runner/line.ts';
import { median, percentile } from '../../runner/results.ts';
import { shown } from '../../runner/tables.ts';
import { type ScaleRound, type ScaleStage, withScaleStage } from '../../scale/stage.ts';
import type { BenchCustomer } from '../../stage/customer.ts';

const accounts = 200;
const joinsAtATime = 4;
const perSecond = 50;
const roundSeconds = 6;
const warmUpSeconds = 4;
const floodSeconds = 3;
const p99RatioMax = 2;

/** Both with 200 numbers and the same rate in all. */
const sides = ['many', 'one'] as const;
type Side = (typeof sides)[number];

interface Round extends ScaleRound {
  /** From the network's acknowledgement to the receipt of message.sent. */
  webhookMs: number[];
}

export const line: BenchLine = {
  name: 'scale-accounts',
  question:
    `Do ${accounts} accounts, with a number and a webhook each, get on as well as one account with ${accounts} numbers at the ` +
    `same rate in all, ${perSecond} a second?`,
  leftOut:
    'Bridge, network and disk, as with scale-numbers. One machine runs all objects on one thread, where the platform ' +
    'spreads them: what accounts share here is the processor.',
  async run({ log, rounds }) {
    const receivers = startReceiversProcess();
    try {
      const { url } = await receivers.ask({ kind: 'url' });
      return await withScaleStage(async (stage) => {
        const customers: Record<Side, BenchCustomer[]> = {
          many: await joinAll(stage, accounts),
          one: [await stage.join()],
        };
        for (const side of sides) await stage.addNumbers(customers[side], accounts);
        for (const side of sides) {
          for (const customer of customers[side]) await customer.addWebhook(`${url}/${side}`);
        }
        const run = async (side: Side, seconds: number, rate?: number): Promise<Round> => {
          await receivers.ask({ kind: 'take' });
          const order = rate === undefined ? { seconds } : { seconds, perSecond: rate };
          const round = await stage.send(customers[side], { ...order, bodies: bodies() });
          const { arrivals } = await receivers.ask({ kind: 'take' });
          const sent = arrivals.filter(({ event }) => event === 'message.sent');
          return { ...round, webhookMs: sent.map(({ at, data }) => at - Date.parse(data.sentAt ?? '')) };
        };
        const measured: Record<Side, Round[]> = { many: [], one: [] };
        const floods: Record<Side, Round[]> = { many: [], one: [] };
        for (const side of sides) await run(side, warmUpSeconds, perSecond);
        for (let index = 1; index <= rounds; index += 1) {
          for (const side of sides) {
            const round = await run(side, roundSeconds, perSecond);
            measured[side].push(round);
            log(`round ${index}, ${side}: ${described(round)}`);
          }
        }
        for (const side of sides) {
          const flood = await run(side, floodSeconds);
          floods[side].push(flood);
          log(`as many as are answered, ${side}: ${shown(rateOf(flood))}/s, ${described(flood)}`);
        }
        return figuresOf(measured, floods);
      });
    } finally {
      await receivers.stop();
    }
  },
};

async function joinAll(stage: ScaleStage, count: number): Promise<BenchCustomer[]> {
  const customers: BenchCustomer[] = [];
  const joiner = async () => {
    while (customers.length + joinsAtATime <= count) customers.push(await stage.join());
  };
  await Promise.all(Array.from({ length: joinsAtATime }, joiner));
  while (customers.length < count) customers.push(await stage.join());
  return customers;
}

let recipients = 0;

/** Every recipient is new. */
const bodies = (): string[] =>
  Array.from({ length: 10_000 }, () => {
    recipients += 1;
    return JSON.stringify({ to: String(15550000000 + recipients), text: 'One of many says hello.' });
  });

const latencyOf = (share: number) => (round: Round) => percentile(round.latenciesMs, share);
const webhookOf = (share: number) => (round: Round) => percentile(round.webhookMs, share);
const cpuOf = ({ cpuMs, latenciesMs }: Round) => cpuMs / latenciesMs.length;
const rateOf = ({ latenciesMs, elapsedMs }: Round) => latenciesMs.length / (elapsedMs / 1000);

const described = (round: Round) =>
  `accepted within ${shown(latencyOf(0.5)(round))} ms, p99 ${shown(latencyOf(0.99)(round))}; webhook after ` +
  `${shown(webhookOf(0.5)(round))} ms, p99 ${shown(webhookOf(0.99)(round))}; CPU of workerd ${shown(cpuOf(round))} ms a message`;

function figuresOf(measured: Record<Side, Round[]>, floods: Record<Side, Round[]>): Figure[] {
  const figure = (
    name: string,
    unit: string,
    of: (round: Round) => number,
    from: Record<Side, Round[]>,
    target: Figure['target'] = null,
  ): Figure => {
    const rounds = { ours: from.many.map(of), counterpart: from.one.map(of) };
    const [ours, counterpart] = [median(rounds.ours), median(rounds.counterpart)];
    return { name: `${name}, ${accounts} accounts against one`, unit, ours, counterpart, target, rounds };
  };
  return [
    figure('median of a send', 'ms', latencyOf(0.5), measured),
    figure('p99 of a send', 'ms', latencyOf(0.99), measured, { of: 'ratio', atMost: p99RatioMax }),
    figure('acknowledgement to webhook, p50', 'ms', webhookOf(0.5), measured),
    figure('acknowledgement to webhook, p99', 'ms', webhookOf(0.99), measured, {
      of: 'ratio',
      atMost: p99RatioMax,
    }),
    figure('CPU of workerd', 'ms a message', cpuOf, measured),
    figure('accepted, as many as are answered', '/ s', rateOf, floods),
  ];
}
