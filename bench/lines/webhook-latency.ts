import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { waitUntil } from '../../src/local/wait-until.ts';
import { startReceiversProcess } from '../processes/receivers-process.ts';
import { startSimulatorProcess } from '../processes/simulator-process.ts';
import type { BenchLine, Figure } from '../runner/line.ts';
import { median, percentile } from '../runner/results.ts';
import { shown } from '../runner/tables.ts';
import { BenchCustomer } from '../stage/customer.ts';
import { scriptPhone, withGateway } from '../stage/gateway.ts';
import type { Arrival } from '../stage/receivers.ts';
import { cpuMsOf } from '../stage/workerd-cpu.ts';

const numbers = 4;
const recipients = 40;
const perSecond = 50;
const warmUpSeconds = 6;
/** Short ones, and twice as many as asked for: one in which the machine has stood still for a second weighs less so. */
const roundSeconds = { gateway: 4, direct: 2 };
const roundsEach = 2;
const p50MsMax = 20;
const p99MsMax = 100;
const arriveWithinMs = 30_000;

export const line: BenchLine = {
  name: 'webhook-latency',
  question:
    `How long from the network's acknowledgement at the simulator to the webhook's receipt of message.sent, at ${perSecond} ` +
    'messages a second, against a direct POST between the same two processes?',
  leftOut:
    'Distance: all of it runs on one machine, whose cores the load shares. The recipients are known, pacing is off. The webhook ' +
    'gets all four events of each message, of which message.sent is timed.',
  async run({ log, rounds }) {
    const receivers = startReceiversProcess();
    const simulator = startSimulatorProcess();
    const startSimulator = async ({ port, home }: { port: number; home: string }) => {
      await simulator.ask({ kind: 'start', port, home });
      return simulator;
    };
    try {
      const { url } = await receivers.ask({ kind: 'url' });
      return await withGateway({ simulator: startSimulator }, async ({ edge, network, secrets }) => {
        const customer = await BenchCustomer.join(edge.url, secrets);
        for (let index = 0; index < numbers; index += 1) {
          await customer.pairNumber(network.adminUrl, `62812000010${index}`, {
            minDelayMs: 0,
            maxDelayMs: 0,
          });
        }
        await customer.addWebhook(`${url}/webhook`);
        const phones = Array.from({ length: recipients }, (_, index) => String(15550010000 + index));
        for (const phone of phones) await scriptPhone(network, phone, { autoDeliver: true, autoRead: true });
        const stage: Stage = { receivers, simulator, url, workerdPid: edge.workerdPid };
        // The first messages make the sessions, and warm all processes up.
        await gatewayRound(stage, customer, phones, perSecond * warmUpSeconds);
        const [ours, direct]: [Round[], number[][]] = [[], []];
        for (let round = 1; round <= rounds * roundsEach; round += 1) {
          direct.push(await directRound(stage));
          ours.push(await gatewayRound(stage, customer, phones, perSecond * roundSeconds.gateway));
          log(
            `round ${round}: ${described(ours.at(-1)?.latenciesMs)}, CPU of workerd ${shown(ours.at(-1)?.cpuMsEach ?? Number.NaN)} ms a message; direct ${described(direct.at(-1))}`,
          );
        }
        return figuresOf(ours, direct, log);
      });
    } finally {
      await simulator.stop();
      await receivers.stop();
    }
  },
};

interface Stage {
  receivers: ReturnType<typeof startReceiversProcess>;
  simulator: ReturnType<typeof startSimulatorProcess>;
  url: string;
  workerdPid: number;
}

interface Round {
  /** CPU that workerd took for each message. */
  cpuMsEach: number;
  latenciesMs: number[];
  /** Milliseconds of each step, by its name. */
  steps: Record<string, number[]>;
}

async function gatewayRound(
  stage: Stage,
  customer: BenchCustomer,
  phones: readonly string[],
  count: number,
): Promise<Round> {
  const { receivers, simulator, workerdPid } = stage;
  await simulator.ask({ kind: 'take' });
  const cpuBefore = cpuMsOf(workerdPid) ?? Number.NaN;
  const startedAt = performance.now();
  const sends = [];
  for (let index = 0; index < count; index += 1) {
    await delay(Math.max(0, startedAt + (index * 1000) / perSecond - performance.now()));
    sends.push(customer.send(phones[index % phones.length] ?? '', `Your code is ${index}.`));
  }
  await Promise.all(sends);
  const sent = new Map<string, Arrival>();
  let seen = 0;
  await waitUntil(`the callbacks of ${count} messages did not arrive`, arriveWithinMs, async () => {
    const { arrivals } = await receivers.ask({ kind: 'take' });
    seen += arrivals.filter(({ data }) => data.messageId !== undefined).length;
    for (const arrival of arrivals) {
      const id = arrival.event === 'message.sent' ? arrival.data.providerMessageId : undefined;
      if (id !== undefined && !sent.has(id)) sent.set(id, arrival);
    }
    // The other events of the last messages belong to this round too.
    return sent.size >= count && seen >= count * 4 ? true : null;
  });
  const cpuMsEach = ((cpuMsOf(workerdPid) ?? Number.NaN) - cpuBefore) / count;
  const acknowledged = new Map((await simulator.ask({ kind: 'take' })).moments.map(({ id, at }) => [id, at]));
  return { ...timed([...sent.values()], acknowledged), cpuMsEach };
}

function timed(arrivals: readonly Arrival[], acknowledged: ReadonlyMap<string, number>) {
  const latenciesMs: number[] = [];
  const steps: Record<string, number[]> = {};
  const step = (name: string, ms: number) => {
    steps[name] ??= [];
    steps[name].push(ms);
  };
  for (const { at, happenedAt, attemptedAt, data } of arrivals) {
    const ackedAt = acknowledged.get(data.providerMessageId ?? '');
    if (ackedAt === undefined) throw new Error('A message was told as sent without an acknowledgement.');
    latenciesMs.push(at - ackedAt);
    const sentAt = Date.parse(data.sentAt ?? '');
    step('network → bridge has it (sentAt)', sentAt - ackedAt);
    step('bridge → log has stored it (journal, link, number)', happenedAt - sentAt);
    step('log → attempt begins', attemptedAt - happenedAt);
    step('attempt → received', at - attemptedAt);
  }
  return { latenciesMs, steps };
}

async function directRound({ receivers, simulator, url }: Stage): Promise<number[]> {
  const bodies = Array.from({ length: perSecond * roundSeconds.direct }, () =>
    JSON.stringify({ id: randomUUID(), event: 'direct', timestamp: new Date().toISOString(), data: {} }),
  );
  const { moments } = await simulator.ask({ kind: 'post', url: `${url}/direct`, perSecond, bodies });
  const { arrivals } = await receivers.ask({ kind: 'take' });
  const arrivedAt = new Map(arrivals.map(({ id, at }) => [id, at]));
  return moments.map(({ id, at }) => (arrivedAt.get(id) ?? Number.NaN) - at);
}

const described = (latenciesMs: readonly number[] = []) =>
  `p50 ${shown(percentile(latenciesMs, 0.5))} ms, p99 ${shown(percentile(latenciesMs, 0.99))} ms`;

function figuresOf(
  ours: readonly Round[],
  direct: readonly number[][],
  log: (text: string) => void,
): Figure[] {
  const steps = Object.fromEntries(
    Object.keys(ours[0]?.steps ?? {}).map((name) => {
      const all = ours.flatMap((round) => round.steps[name] ?? []);
      return [name, { p50: percentile(all, 0.5), p99: percentile(all, 0.99) }];
    }),
  );
  for (const [name, { p50, p99 }] of Object.entries(steps))
    log(`${name}: p50 ${shown(p50)} ms, p99 ${shown(p99)} ms`);
  const figure = (name: string, share: number, atMost: number): Figure => {
    const rounds = {
      ours: ours.map(({ latenciesMs }) => percentile(latenciesMs, share)),
      counterpart: direct.map((latenciesMs) => percentile(latenciesMs, share)),
    };
    return {
      name,
      unit: 'ms',
      ours: median(rounds.ours),
      counterpart: median(rounds.counterpart),
      target: { of: 'ours', atMost },
      rounds,
      details: { steps },
    };
  };
  return [figure('p50', 0.5, p50MsMax), figure('p99', 0.99, p99MsMax)];
}
