import { dayMs } from '../../../contract/times.ts';

/** By what a report is divided. */
export const reportGroups = ['agent', 'team', 'number', 'day'] as const;
export type ReportGroup = (typeof reportGroups)[number];

/** Cases that one report reads, the newest; and those that it reads in one go. */
const reportCasesMax = 50_000;
const casesAtOnce = 2_500;

/** Of a set of measured lengths, in seconds; null: nothing was measured. */
interface Spread {
  count: number;
  medianSeconds: number | null;
  p90Seconds: number | null;
}

/** The figures of cases that were opened in the time of a report. */
export interface SupportFigures {
  opened: number;
  resolved: number;
  firstResponse: Spread;
  resolution: Spread;
  missed: { firstResponse: number; nextResponse: number; resolution: number };
  ratings: { count: number; average: number | null };
}

export interface SupportReport {
  total: SupportFigures;
  /** By key: the id of an agent, team or number, null for nobody; the begin of a day in milliseconds since 1970. */
  groups: { key: string | number | null; figures: SupportFigures }[];
  /** False: there were more cases than are read. */
  isComplete: boolean;
}

type Row = {
  openedAt: number;
  conversationId: string;
  grouped: string | number | null;
  resolved: number;
  firstResponseMs: number | null;
  resolutionMs: number | null;
  firstMissed: number;
  nextMissed: number;
  resolutionMissed: number;
  rating: number | null;
};

const groupedBy: Record<ReportGroup, string> = {
  agent: 'agent_id',
  team: 'team_id',
  number: 'number_id',
  day: `(opened_at / ${dayMs}) * ${dayMs}`,
};

export interface ReportRange {
  since: number;
  until: number;
  by: ReportGroup;
}

/** How cases that were opened between two times went; others have their turn while it reads. */
export async function supportReport(
  sql: SqlStorage,
  { since, until, by }: ReportRange,
): Promise<SupportReport> {
  const total = new Tally();
  const groups = new Map<string | number | null, Tally>();
  const figures = (isComplete: boolean): SupportReport => ({
    total: total.figures(),
    groups: [...groups]
      .map(([key, group]) => ({ key, figures: group.figures() }))
      .sort((a, b) => (by === 'day' ? Number(a.key) - Number(b.key) : b.figures.opened - a.figures.opened)),
    isComplete,
  });
  let place = { openedAt: until, conversationId: '' };
  for (let read = 0; ; ) {
    const rows = sql
      .exec<Row>(
        `SELECT opened_at AS openedAt, conversation_id AS conversationId, ${groupedBy[by]} AS grouped,
           resolved_at IS NOT NULL AS resolved, first_response_ms AS firstResponseMs, resolution_ms AS resolutionMs,
           first_missed AS firstMissed, next_missed AS nextMissed, resolution_missed AS resolutionMissed, rating
         FROM support_cases WHERE opened_at >= ? AND (opened_at, conversation_id) < (?, ?)
         ORDER BY opened_at DESC, conversation_id DESC LIMIT ?`,
        ...[since, place.openedAt, place.conversationId, casesAtOnce],
      )
      .toArray();
    for (const row of rows) {
      if (read === reportCasesMax) return figures(false);
      read += 1;
      const group = groups.get(row.grouped) ?? new Tally();
      groups.set(row.grouped, group);
      total.add(row);
      group.add(row);
      place = row;
    }
    if (rows.length < casesAtOnce) return figures(true);
    await scheduler.wait(0);
  }
}

/** Of a time in which nothing happened. */
export const emptyFigures = (): SupportFigures => new Tally().figures();

class Tally {
  #opened = 0;
  #resolved = 0;
  #first = 0;
  #next = 0;
  #resolution = 0;
  readonly #firstResponses: number[] = [];
  readonly #resolutions: number[] = [];
  readonly #ratings: number[] = [];

  add(row: Row): void {
    this.#opened += 1;
    this.#resolved += row.resolved;
    this.#first += row.firstMissed;
    this.#next += row.nextMissed;
    this.#resolution += row.resolutionMissed;
    if (row.firstResponseMs !== null) this.#firstResponses.push(row.firstResponseMs);
    if (row.resolutionMs !== null) this.#resolutions.push(row.resolutionMs);
    if (row.rating !== null) this.#ratings.push(row.rating);
  }

  figures(): SupportFigures {
    const sum = this.#ratings.reduce((total, rating) => total + rating, 0);
    const count = this.#ratings.length;
    return {
      opened: this.#opened,
      resolved: this.#resolved,
      firstResponse: spreadOf(this.#firstResponses),
      resolution: spreadOf(this.#resolutions),
      missed: { firstResponse: this.#first, nextResponse: this.#next, resolution: this.#resolution },
      ratings: { count, average: count === 0 ? null : Math.round((sum / count) * 100) / 100 },
    };
  }
}

/** By the nearest rank: each figure is one that was measured, but for a median between two. */
export function spreadOf(lengthsMs: readonly number[]): Spread {
  const inOrder = Float64Array.from(lengthsMs).sort();
  const count = inOrder.length;
  if (count === 0) return { count, medianSeconds: null, p90Seconds: null };
  const at = (index: number) => inOrder[index] ?? 0;
  const median = (at(Math.floor((count - 1) / 2)) + at(Math.floor(count / 2))) / 2;
  const p90 = at(Math.ceil(count * 0.9) - 1);
  return { count, medianSeconds: seconds(median), p90Seconds: seconds(p90) };
}

const seconds = (ms: number) => Math.round(ms / 1000);
