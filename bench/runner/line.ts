/** One line of the bench: a question, and the figures that answer it. */
export interface BenchLine {
  /** kebab-case; `npm run bench -- <name>` runs it alone. */
  name: string;
  /** One sentence: what is measured, against what. */
  question: string;
  /** What the figure leaves out, said honestly. */
  leftOut: string;
  /** Throws when it could not measure; leaves no process and no file behind either way. */
  run(bench: { log(line: string): void; rounds: number }): Promise<Figure[]>;
}

/** One figure of a line, with its counterpart where it has one. */
export interface Figure {
  name: string;
  unit: string;
  /** Median of the rounds. */
  ours: number;
  /** Median of the rounds, measured in the same run, interleaved; absent where the target is absolute. */
  counterpart?: number;
  /** What is to be reached, by the ratio (ours / counterpart) or by our figure; null: shown, not judged. */
  target: { of: 'ratio' | 'ours'; atLeast?: number; atMost?: number } | null;
  rounds: { ours: number[]; counterpart?: number[] };
  /** Whatever explains the figure, e.g. cost lines. */
  details?: Record<string, unknown>;
}
