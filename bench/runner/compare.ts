import { type ResultFigure, type Results, ratioOf } from './results.ts';

export interface Comparison {
  line: string;
  name: string;
  /** The ratio, or the figure that has no counterpart, in the earlier result and now; null where it was not measured. */
  before: number | null;
  after: number | null;
  /** After divided by before; null where one is missing. */
  change: number | null;
  /** `worse`: past the tolerance in the direction that the target dislikes. */
  verdict: 'same' | 'worse' | 'better' | 'not measured';
}

/**
 * Holds each judged figure of `after` against the same of `before`. Where a figure has a counterpart it is the ratio
 * that is compared, also where the target is about the figure alone: so two machines can be held against each other.
 *
 * @param tolerance share by which a figure may be worse: 0.25 for a quarter
 */
export function compareResults(before: Results, after: Results, tolerance: number): Comparison[] {
  return before.figures.flatMap((earlier): Comparison[] => {
    if (earlier.target === null) return [];
    const now = after.figures.find(({ line, name }) => line === earlier.line && name === earlier.name);
    const { line, name } = earlier;
    const compared = earlier.counterpart === undefined ? ({ ours }: ResultFigure) => ours : ratioOf;
    const [was, is] = [compared(earlier), now === undefined ? null : compared(now)];
    if (was === null || is === null) {
      return [{ line, name, before: was, after: is, change: null, verdict: 'not measured' }];
    }
    const isHigherBetter = earlier.target.atLeast !== undefined;
    const [lower, upper] = [is < was * (1 - tolerance), is > was * (1 + tolerance)];
    const verdict = !(lower || upper) ? 'same' : lower === isHigherBetter ? 'worse' : 'better';
    return [{ line, name, before: was, after: is, change: is / was, verdict }];
  });
}
