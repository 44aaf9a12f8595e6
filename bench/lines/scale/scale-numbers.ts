import type { BenchLine, Figure } from '../../runner/line.ts';
import { percentile } from '../../runner/results.ts';
import { shown, table } from '../../runner/tables.ts';
import { type ScaleRound, type ScaleStage, withScaleStage } from '../../scale/stage.ts';
import type { BenchCustomer } from '../../stage/customer.ts';

/** Numbers of the account: it grows from one to the next. */
const sizes = [1, 100, 1000] as const;
/** Sends a second. */
const rates = [50, 100, 200] as const;
const [slow, judgedRate, fast] = rates;
const roundSeconds = 4;
const warmUpSeconds = 2;
/** Some numbers' objects are woken for a message, where one number's is awake all the time. */
const cpuRatioMax = 2;

export const line: BenchLine = {
  name: 'scale-numbers',
  question:
    `Does a send of an account with ${sizes.at(-1)} numbers cost more than one of an account with a single number, at ` +
    `${rates.join(', ')} sends a second?`,
  leftOut:
    'The disk: all state is in memory. Bridge and network: links are simulated, and each message is acknowledged at once, delivered and read a moment later. ' +
    'No webhook. Every recipient is new, so that no conversation binds one to a number.',
  async run({ log }) {
    return withScaleStage(async (stage) => {
      const customer = await stage.join();
      const rounds = new Map<string, ScaleRound>();
      let before = 0;
      for (const size of sizes) {
        await stage.addNumbers([customer], size - before);
        before = size;
        await sendAt(stage, customer, size, slow, warmUpSeconds);
        for (const rate of rates) {
          const round = await sendAt(stage, customer, size, rate, roundSeconds);
          rounds.set(keyOf(size, rate), round);
          log(`${size} numbers, ${rate} a second: ${described(round)}`);
        }
      }
      return figuresOf(rounds, log);
    });
  },
};

const keyOf = (size: number, rate: number) => `${size} ${rate}`;

let recipients = 0;

function sendAt(
  stage: ScaleStage,
  customer: BenchCustomer,
  size: number,
  perSecond: number,
  seconds: number,
): Promise<ScaleRound> {
  const bodies = Array.from({ length: perSecond * seconds }, () => {
    recipients += 1;
    return JSON.stringify({
      to: String(15550000000 + recipients),
      text: `One of ${size} numbers says hello.`,
    });
  });
  return stage.send([customer], { seconds, perSecond, bodies });
}

const latencyOf = (share: number) => (round: ScaleRound) => percentile(round.latenciesMs, share);
const cpuOf = ({ cpuMs, latenciesMs }: ScaleRound) => cpuMs / latenciesMs.length;

const described = (round: ScaleRound) =>
  `accepted within ${shown(latencyOf(0.5)(round))} ms, p99 ${shown(latencyOf(0.99)(round))} ms, ` +
  `CPU of workerd ${shown(cpuOf(round))} ms a message with its four events`;

function figuresOf(rounds: ReadonlyMap<string, ScaleRound>, log: (text: string) => void): Figure[] {
  const find = (size: number, rate: number): ScaleRound => {
    const round = rounds.get(keyOf(size, rate));
    if (round === undefined) throw new Error('A round is missing.');
    return round;
  };
  const rows = sizes.map((size) => [`${size}`, ...rates.map((rate) => shown(cpuOf(find(size, rate))))]);
  const sheet = table(['numbers', ...rates.map((rate) => `CPU at ${rate}/s`)], rows);
  for (const row of sheet.split('\n')) log(row);
  const figure = (
    name: string,
    unit: string,
    of: (round: ScaleRound) => number,
    [size, rate]: readonly [number, number],
    target: Figure['target'] = null,
  ): Figure => {
    const [ours, counterpart] = [of(find(size, rate)), of(find(1, rate))];
    return { name, unit, ours, counterpart, target, rounds: { ours: [ours], counterpart: [counterpart] } };
  };
  return sizes
    .slice(1)
    .flatMap((size) => [
      ...[slow, judgedRate, fast].map((rate) =>
        figure(
          `CPU of workerd, ${size} numbers against one, at ${rate}/s`,
          'ms a message',
          cpuOf,
          [size, rate],
          size === sizes.at(-1) && rate === judgedRate ? { of: 'ratio', atMost: cpuRatioMax } : null,
        ),
      ),
      figure(`median of a send, ${size} numbers against one, at ${judgedRate}/s`, 'ms', latencyOf(0.5), [
        size,
        judgedRate,
      ]),
      figure(`p99 of a send, ${size} numbers against one, at ${judgedRate}/s`, 'ms', latencyOf(0.99), [
        size,
        judgedRate,
      ]),
    ]);
}
