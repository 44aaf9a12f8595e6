/*
 * `npm run soak`: a steady rate for half an hour, while links drop, objects are evicted, processes are killed and
 * receivers fail. Does memory stay flat, does storage stay bounded, is anything lost? See bench/README.md.
 *
 *   node bench/soak.ts [--minutes 30] [--rate 8]
 */

import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { freePortPair } from '../test/free-ports.ts';
import { LocalRun, unlimited } from './bridge-side/local-run.ts';
import { brokenPromises } from './soak/promises.ts';
import { type Failing, SoakReceiver } from './soak/receivers.ts';
import { inspectable, type LiveSample, liveSample, type Sample, sample, slopeOf } from './soak/samples.ts';
import { messagesPerText, type SoakNumber, Traffic } from './soak/traffic.ts';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '30' }, rate: { type: 'string', default: '8' } },
});
const minutes = Number(values.minutes);
const perSecond = Number(values.rate);
if (!(minutes >= 2) || !(perSecond > 0)) {
  console.error('Give --minutes of at least 2 and a --rate above 0.');
  process.exit(2);
}

const totalMs = minutes * 60_000;
/** Processes are killed here, early, and caches fill: the client's of messages takes 5 minutes. The slopes begin after it. */
const warmUpMs = Math.min(300_000, totalMs / 3);
/**
 * Busier than any moment after it: an allocator keeps what its busiest moment has needed, so a level that rises after
 * this is no moment of chance.
 */
const busy = { from: warmUpMs * 0.3, until: warmUpMs * 0.6, times: 5 };
const sampleEveryMs = 5_000;
const samplesAMinute = 60_000 / sampleEveryMs;
/** Rarely: a collection also tidies up what the samples of resident memory would otherwise see. */
const collectEveryMs = Math.min(90_000, totalMs / 20);
const dropEveryMs = 20_000;
const refreshEveryMs = 240_000;
const settleWithinMs = 180_000;
const numbersCount = 4;
const recipients = Array.from({ length: 20 }, (_, index) => `1555020${1000 + index}`);
const failures: Failing[] = [
  { how: 'error', every: 3 },
  { how: 'hang', every: 20 },
  { how: 'reset', every: 4 },
];

/**
 * Slopes of memory after a collection, in MiB an hour; they count only as far as they are beyond two standard errors.
 * Resident memory between collections follows the collectors' leisure: it has a ceiling.
 */
const perHourMibMax = {
  bridgeLiveMib: 24,
  workerLiveMib: 24,
  standInsLiveMib: 24,
  bridgeSettledMib: 24,
  workerdSettledMib: 48,
} as const;
const mibMax = { bridgeMib: 512, workerdMib: 768, journalMib: 64 } as const;
/** A log keeps a message with its row, events and attempts until they are archived. */
const objectBytesAMessageMax = 8_192;
/** Traffic leaves nothing in D1; the cron and sign-ins write a little, and SQLite's own log of writes takes 4 MiB. */
const databaseGrowthMibMax = 8;
/** A minute until the circuit of a receiver may open: a machine that stands still for some seconds is no failing receiver. */
const ladderSeconds = '1,2,57,60';

const startedAt = Date.now();
const seconds = () => String(Math.round((Date.now() - startedAt) / 1000)).padStart(5);
const say = (line: string) => console.log(`${seconds()} s  ${line}`);
const inspectorPort = await freePortPair();
const inspectorPorts = { bridge: inspectorPort, workerd: inspectorPort + 1 };
const run = await LocalRun.start({
  ...unlimited,
  ...inspectable(inspectorPorts),
  WEBHOOK_RETRY_SECONDS: ladderSeconds,
});
const receivers: SoakReceiver[] = [];
try {
  process.exitCode = (await soak()) ? 0 : 1;
} finally {
  await run.discard();
  for (const receiver of receivers) await receiver.close();
}

async function soak(): Promise<boolean> {
  const numbers: SoakNumber[] = [];
  for (let index = 0; index < numbersCount; index += 1) {
    const phone = `62812500${1000 + index}`;
    const numberId = await run.pairNumber(phone);
    numbers.push({ phone, numberId, apiKey: await run.keyPinnedTo(numberId, 'fallback') });
  }
  const healthy = await receive(null, 'all');
  // The failing ones hear of one number alone: their retries shall not make up the load.
  for (const failing of failures) await receive(failing, [numbers[0]?.numberId ?? '']);
  const traffic = new Traffic(run, numbers, recipients);
  const samples: Sample[] = [];
  const live: LiveSample[] = [];
  const flowFrom = Date.now();
  say(`${perSecond} texts a second through ${numbersCount} numbers, for ${minutes} minutes`);
  const timers = disturb(numbers, samples, live);
  await traffic.flow(perSecond, flowFrom + busy.from);
  say(`${busy.times * perSecond} texts a second`);
  await traffic.flow(busy.times * perSecond, flowFrom + busy.until);
  say(`${perSecond} texts a second again`);
  await traffic.flow(perSecond, flowFrom + totalMs);
  for (const timer of timers) clearInterval(timer);
  const broken = await settled(traffic, healthy);
  return report(traffic, healthy, samples, live, broken);
}

async function receive(failing: Failing, numberIds: string[] | 'all'): Promise<SoakReceiver> {
  const receiver = await SoakReceiver.start(failing);
  receivers.push(receiver);
  const webhook = { url: receiver.url, numberIds, events: 'all' };
  receiver.webhookId = (await run.admin<{ id: string }>('POST', '/v1/webhooks', webhook)).id;
  return receiver;
}

/** Samples, drops links all the time, and kills the runtime and the bridge once each while it warms up. */
function disturb(numbers: readonly SoakNumber[], samples: Sample[], live: LiveSample[]): NodeJS.Timeout[] {
  const flowStartedAt = Date.now();
  let drops = 0;
  const every = (ms: number, work: () => unknown) =>
    setInterval(() => {
      Promise.resolve()
        .then(work)
        .catch((error: Error) => say(`could not disturb: ${error.message}`));
    }, ms);
  const kill = (part: 'workerd' | 'bridge') => {
    say(`kill -9 of ${part}`);
    process.kill(run.pidOf(part), 'SIGKILL');
  };
  return [
    every(sampleEveryMs, () => {
      const taken = sample(run, flowStartedAt);
      if (!taken) return;
      samples.push(taken);
      if (samples.length % samplesAMinute === 0) {
        say(
          `bridge ${taken.bridgeMib.toFixed(0)}, workerd ${taken.workerdMib.toFixed(0)}, objects ${taken.objectsMib.toFixed(1)} MiB`,
        );
      }
    }),
    every(collectEveryMs, async () => {
      const taken = await liveSample(run, inspectorPorts, flowStartedAt);
      if (!taken) return;
      live.push(taken);
      say(
        `live after a collection: bridge ${taken.bridgeLiveMib.toFixed(1)}, our Worker ${taken.workerLiveMib.toFixed(1)}, ` +
          `the stand-ins ${taken.standInsLiveMib.toFixed(1)} MiB; ` +
          `resident: bridge ${taken.bridgeSettledMib.toFixed(0)}, workerd ${taken.workerdSettledMib.toFixed(0)} MiB`,
      );
    }),
    every(dropEveryMs, () => {
      const number = numbers[drops++ % numbers.length];
      return run.simulator('POST', `/admin/devices/${number?.phone}/drop`);
    }),
    every(refreshEveryMs, () => run.refresh()),
    setTimeout(() => kill('workerd'), warmUpMs * 0.05),
    setTimeout(() => kill('bridge'), warmUpMs * 0.1),
  ];
}

/** What is still broken when everything had its time to arrive. */
async function settled(traffic: Traffic, healthy: SoakReceiver): Promise<string[]> {
  say('the flow has ended; waiting for what is under way');
  const deadline = Date.now() + settleWithinMs;
  for (;;) {
    const broken = await brokenPromises(run, traffic, healthy, recipients);
    if (broken.length === 0 || Date.now() > deadline) return broken;
    await delay(1_000);
  }
}

function report(
  traffic: Traffic,
  healthy: SoakReceiver,
  all: readonly Sample[],
  live: readonly LiveSample[],
  broken: readonly string[],
): boolean {
  const samples = all.filter(({ atMs }) => atMs >= warmUpMs);
  const first = samples[0];
  const last = samples.at(-1);
  const problems = [...broken, ...traffic.problems];
  say(
    `${traffic.accepted.size} accepted (${traffic.otherAnswers} on the way), ${traffic.taken.size} received, ` +
      `${healthy.callbacks} callbacks at the healthy receiver (${healthy.repeats} repeats of an event id)`,
  );
  if (!first || !last || samples.length < 10) return fail([...problems, 'Too few samples.']);
  const measured = live.filter(({ atMs }) => atMs >= warmUpMs);
  if (measured.length < 5) return fail([...problems, 'Too few collections.']);
  show(samples, ['bridgeMib', 'workerdMib', 'journalMib', 'objectsMib', 'databaseMib']);
  const collected = Object.keys(perHourMibMax) as (keyof typeof perHourMibMax)[];
  show(measured, collected);
  for (const measure of collected) problems.push(...grows(measured, measure, perHourMibMax[measure]));
  for (const measure of Object.keys(mibMax) as (keyof typeof mibMax)[]) {
    const most = Math.max(...samples.map((one) => one[measure]));
    if (most > mibMax[measure])
      problems.push(`${measure} was ${most.toFixed(0)}; ${mibMax[measure]} may be.`);
  }
  const messages = (messagesPerText * perSecond * (last.atMs - first.atMs)) / 1000;
  const bytesAMessage = Math.round(((last.objectsMib - first.objectsMib) * 2 ** 20) / messages);
  say(`the objects grew by ${bytesAMessage} bytes a message`);
  if (bytesAMessage > objectBytesAMessageMax)
    problems.push(`The objects keep ${bytesAMessage} bytes a message.`);
  const databaseGrowthMib = last.databaseMib - first.databaseMib;
  if (databaseGrowthMib > databaseGrowthMibMax)
    problems.push(`The database has grown by ${databaseGrowthMib.toFixed(1)} MiB.`);
  return fail(problems);
}

type Series<Measure extends string> = readonly ({ atMs: number } & Record<Measure, number>)[];

function show<Measure extends string>(samples: Series<Measure>, measures: readonly Measure[]): void {
  for (const measure of measures) {
    const { perHour, error } = slopeOf(samples, measure);
    const shown = `${samples[0]?.[measure].toFixed(1)} → ${samples.at(-1)?.[measure].toFixed(1)} MiB`;
    say(
      `${measure.replace('Mib', '').padEnd(14)} ${shown.padEnd(20)} ${perHour.toFixed(1)} ± ${error.toFixed(1)} MiB/h`,
    );
  }
}

function grows<Measure extends string>(
  samples: Series<Measure>,
  measure: Measure,
  perHourMax: number,
): string[] {
  const { perHour, error } = slopeOf(samples, measure);
  return perHour - 2 * error <= perHourMax
    ? []
    : [`${measure} grows by ${perHour.toFixed(1)} ± ${error.toFixed(1)} MiB an hour; ${perHourMax} may be.`];
}

/** Whether nothing failed. */
function fail(problems: readonly string[]): boolean {
  for (const problem of problems) say(`✗ ${problem}`);
  if (problems.length === 0) say('✓ nothing lost, nothing doubled, memory flat, storage bounded');
  return problems.length === 0;
}
