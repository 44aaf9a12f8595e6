import type { Figure } from '../runner/line.ts';
import { median } from '../runner/results.ts';
import { cpuMsOf } from '../stage/workerd-cpu.ts';
import { BridgeAlone } from './bridge-alone.ts';
import {
  acceptTexts,
  type BenchNumber,
  holdBack,
  letGo,
  whenAcknowledged,
  whenListed,
} from './held-messages.ts';
import { LocalRun, unlimited } from './local-run.ts';
import type { SendRun } from './plain/plain-calls.ts';
import { PlainProcess } from './plain/plain-process.ts';

const recipients = Array.from({ length: 20 }, (_, index) => `1555010${1000 + index}`);
/** Enough for a session with each recipient, and for the compiler. */
const warmUpTexts = 100;
const pairAtATime = 4;

export interface SendRateOptions {
  numbers: number;
  /** Texts of one number in one round. */
  textsPerNumber: number;
  rounds: number;
  atLeast: number;
  log(line: string): void;
}

/**
 * Acknowledged texts a second: through the gateway and its bridge, of plain sessions in one process, and through a
 * bridge with an edge that only plays its part, once. All three dial the same simulator and take turns.
 */
export async function measureSendRates(options: SendRateOptions): Promise<Figure[]> {
  const { numbers, textsPerNumber, rounds, atLeast, log } = options;
  const cleanups: (() => Promise<void>)[] = [];
  try {
    const run = await LocalRun.start(unlimited);
    cleanups.push(() => run.discard());
    const network = { socketUrl: run.socketUrl, adminUrl: run.simulatorUrl };
    const plain = new PlainProcess();
    cleanups.push(() => plain.stop());
    const alone = await BridgeAlone.start(network);
    cleanups.push(() => alone.stop());

    const phones = (prefix: string) =>
      Array.from({ length: numbers }, (_, index) => `${prefix}${1000 + index}`);
    await plain.call('pair', { ...network, phones: phones('62812100'), atATime: pairAtATime });
    await alone.pair(phones('62812200'), pairAtATime);
    const paired: BenchNumber[] = [];
    for (const phone of phones('62812300')) {
      const numberId = await run.pairNumber(phone);
      paired.push({ numberId, apiKey: await run.keyPinnedTo(numberId) });
    }
    const warmUpEach = Math.max(recipients.length, Math.ceil(warmUpTexts / numbers));
    await plain.call('send', { recipients, perSession: warmUpEach });
    await alone.send(recipients, warmUpEach);
    await roundOfGateway(run, paired, warmUpEach);

    const texts = textsPerNumber * numbers;
    const rates = { ours: [] as number[], plain: [] as number[], alone: [] as number[] };
    /** What a text costs each process of the gateway: on two cores, it is this that sets the rate. */
    const cpuMsPerText: Record<string, number>[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      const plainBefore = spentBy(plain.pid);
      rates.plain.push(rateOf(await plain.call('send', { recipients, perSession: textsPerNumber })));
      const plainMs = spentBy(plain.pid) - plainBefore;
      const ours = await roundOfGateway(run, paired, textsPerNumber);
      rates.ours.push(rateOf(ours));
      const cpuMs: Record<string, number> = { ...ours.cpuMsPerText, plain: rounded(plainMs / texts) };
      // It explains the other two and is held against no target: one round says enough.
      if (round === 1) {
        const aloneBefore = spentBy(alone.pid);
        rates.alone.push(await alone.send(recipients, textsPerNumber));
        cpuMs.bridgeAlone = rounded((spentBy(alone.pid) - aloneBefore) / texts);
      }
      cpuMsPerText.push(cpuMs);
      const shown = Object.entries(rates).flatMap(([name, values]) =>
        values.slice(round - 1).map((value) => `${name} ${Math.round(value)}/s`),
      );
      log(`round ${round}: ${shown.join(', ')}`);
    }
    return [
      figure(
        'through the gateway',
        rates.ours,
        rates.plain,
        { of: 'ratio', atLeast },
        { texts, rounds, cpuMsPerText },
      ),
      figure('the bridge with an edge that plays its part', rates.alone, rates.plain, null, {
        texts,
        rounds: 1,
      }),
    ];
  } finally {
    for (const cleanup of cleanups.reverse()) await cleanup();
  }
}

/** All messages are accepted first and held back; the clock runs from their release. */
async function roundOfGateway(
  run: LocalRun,
  numbers: readonly BenchNumber[],
  textsPerNumber: number,
): Promise<SendRun & { cpuMsPerText: Record<string, number> }> {
  await run.signIn();
  const accepted: { number: BenchNumber; ids: string[] }[] = [];
  for (const number of numbers) {
    await holdBack(run, number);
    accepted.push({ number, ids: await acceptTexts(run, number, recipients, textsPerNumber) });
  }
  for (const { number, ids } of accepted) await whenListed(run, number, ids.at(-1) ?? '');
  const before = spent(run);
  const startedAt = Date.now();
  await Promise.all(numbers.map((number) => letGo(run, number)));
  const ackedAt: number[] = [];
  for (const { number, ids } of accepted) ackedAt.push(...(await whenAcknowledged(run, number, ids)));
  const after = spent(run);
  const cpuMsPerText = Object.fromEntries(
    parts.map((part) => [part, rounded((after[part] - before[part]) / ackedAt.length)]),
  );
  return { startedAt, ackedAt, cpuMsPerText };
}

const spentBy = (pid: number) => cpuMsOf(pid) ?? Number.NaN;

const rounded = (value: number) => Math.round(value * 100) / 100;

const parts = ['workerd', 'bridge', 'simulator', 'gateway'] as const;

function spent(run: LocalRun): Record<(typeof parts)[number], number> {
  const of = (part: (typeof parts)[number]) => spentBy(run.pidOf(part));
  return { workerd: of('workerd'), bridge: of('bridge'), simulator: of('simulator'), gateway: of('gateway') };
}

function rateOf({ startedAt, ackedAt }: SendRun): number {
  return (ackedAt.length * 1000) / (Math.max(...ackedAt) - startedAt);
}

function figure(
  name: string,
  ours: number[],
  counterpart: number[],
  target: Figure['target'],
  details: Record<string, unknown>,
): Figure {
  return {
    name,
    unit: 'texts/s',
    ours: median(ours),
    counterpart: median(counterpart),
    target,
    rounds: { ours, counterpart },
    details,
  };
}
