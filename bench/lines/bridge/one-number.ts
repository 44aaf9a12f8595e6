import { measureSendRates } from '../../bridge-side/send-rates.ts';
import type { BenchLine } from '../../runner/line.ts';

export const oneNumber: BenchLine = {
  name: 'one-number',
  question:
    'How many accepted texts of one number does the network acknowledge a second, pacing off, against a plain loop around sendMessage?',
  leftOut:
    'The acceptance: the texts are accepted first, held by quiet hours, and released together; the clock runs from the release to the last acknowledgement. Receipts of delivery come in on both sides; no webhook is set up. Recipients: 20, each with a session that is there before. The plain session keeps its keys in memory and loses them with the process.',
  run: ({ log, rounds }) =>
    measureSendRates({ numbers: 1, textsPerNumber: Math.ceil(5_000 / rounds), rounds, atLeast: 0.65, log }),
};
