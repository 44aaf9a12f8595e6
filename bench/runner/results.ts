import { z } from 'zod';

const figureSchema = z.object({
  line: z.string(),
  name: z.string(),
  unit: z.string(),
  ours: z.number(),
  counterpart: z.number().optional(),
  target: z
    .object({ of: z.enum(['ratio', 'ours']), atLeast: z.number().optional(), atMost: z.number().optional() })
    .nullable(),
  rounds: z.object({ ours: z.array(z.number()), counterpart: z.array(z.number()).optional() }),
  details: z.record(z.string(), z.unknown()).optional(),
});

/** `bench/results.json`: one run of the bench. */
export const resultsSchema = z.object({
  at: z.iso.datetime(),
  /** Of the working tree; with `+` behind it when that had changes. */
  commit: z.string(),
  machine: z.object({
    cpu: z.string(),
    cores: z.number(),
    memoryGiB: z.number(),
    /** Load average of the last minute when the run began. */
    load: z.number(),
    platform: z.string(),
    node: z.string(),
  }),
  figures: z.array(figureSchema),
  /** Lines that could not measure, and why. */
  failures: z.array(z.object({ line: z.string(), reason: z.string() })),
});

export type ResultFigure = z.infer<typeof figureSchema>;
export type Results = z.infer<typeof resultsSchema>;

/** Ours divided by the counterpart's; null without a counterpart. */
export function ratioOf({ ours, counterpart }: Pick<ResultFigure, 'ours' | 'counterpart'>): number | null {
  return counterpart === undefined || counterpart === 0 ? null : ours / counterpart;
}

/** What the target is about: the ratio, or our own figure. */
function judgedOf(figure: ResultFigure): number | null {
  return figure.target?.of === 'ours' ? figure.ours : ratioOf(figure);
}

/** Whether the figure reaches its target; null where there is none, or nothing to judge. */
export function isHeld(figure: ResultFigure): boolean | null {
  const judged = judgedOf(figure);
  if (figure.target === null || judged === null) return null;
  const { atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY } = figure.target;
  return judged >= atLeast && judged <= atMost;
}

/** The median; of an even number of values the mean of the two in the middle. NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** The value that this share of the values is not above; NaN of none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
