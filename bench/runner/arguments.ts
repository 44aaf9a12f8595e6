import { parseArgs } from 'node:util';

export interface BenchArguments {
  /** Lines to run; all when there are none. */
  names: string[];
  rounds: number;
  /** An earlier result to hold this one against. */
  compare: string | null;
  /** Another result in the place of a run. */
  with: string | null;
  tolerance: number;
  /** Where the result goes; by default `bench/results.json`, and nowhere when only some lines run. */
  out: string | null;
  /** A missed target counts as a failure. */
  strict: boolean;
}

const roundsDefault = 3;
const toleranceDefault = 0.25;

/** Reads the command line. Throws what a person can read. */
export function readArguments(args: readonly string[]): BenchArguments {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      compare: { type: 'string' },
      with: { type: 'string' },
      tolerance: { type: 'string', default: String(toleranceDefault) },
      rounds: { type: 'string', default: String(roundsDefault) },
      out: { type: 'string' },
      strict: { type: 'boolean', default: false },
    },
  });
  const tolerance = Number(values.tolerance);
  const rounds = Number(values.rounds);
  if (!(tolerance >= 0 && tolerance < 1))
    throw new Error('--tolerance takes a share from 0 to 1, such as 0.25.');
  if (!Number.isInteger(rounds) || rounds < 1)
    throw new Error('--rounds takes a whole number of at least 1.');
  if (values.with !== undefined && values.compare === undefined) {
    throw new Error('--with FILE goes with --compare FILE.');
  }
  return {
    names: positionals,
    rounds,
    compare: values.compare ?? null,
    with: values.with ?? null,
    tolerance,
    out: values.out ?? null,
    strict: values.strict,
  };
}
