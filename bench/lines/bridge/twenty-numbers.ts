import { measureSendRates } from '../../bridge-side/send-rates.ts';
import type { BenchLine } from '../../runner/line.ts';

export const twentyNumbers: BenchLine = {
  name: 'twenty-numbers',
  question:
    'How many accepted texts of 20 numbers at once does the network acknowledge a second through one bridge, against 20 plain sessions in one process?',
  leftOut: 'As with one number. Each round sends 200 texts a number.',
  run: ({ log, rounds }) =>
    measureSendRates({ numbers: 20, textsPerNumber: 200, rounds, atLeast: 0.82, log }),
};
