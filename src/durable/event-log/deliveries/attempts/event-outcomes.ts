/** The first attempt at an event's delivery to one webhook, which the receiver took. */
export interface EventOutcome {
  webhookId: string;
  seq: number;
  at: number;
  statusCode: number | null;
  durationMs: number;
  responseSnippet: string | null;
}

/** An event's row holds 2 MB with its events: what comes beyond this is stored in rows of its own. */
const outcomesCharactersMax = 100_000;

/** Rows in which the last outcome of each webhook is looked for, and characters of their outcomes. */
const latestRows = 50;
const latestCharactersMax = 200_000;

type Row = { first_seq: number; count: number; outcomes: string | null };

/** The first outcomes, as they stand in the rows of the events. Call what writes inside a transaction. */
export class EventOutcomes {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Stores outcomes with their events, and returns those that found no room. Those of events that are gone are dropped. */
  add(outcomes: readonly EventOutcome[]): EventOutcome[] {
    const left: EventOutcome[] = [];
    const waiting = [...outcomes].sort((a, b) => a.seq - b.seq);
    while (waiting[0] !== undefined) {
      const row = this.#rowOf(waiting[0].seq);
      const end = row === null ? waiting[0].seq + 1 : row.first_seq + row.count;
      const next = waiting.findIndex(({ seq }) => seq >= end);
      const own = waiting.splice(0, next === -1 ? waiting.length : next);
      if (row === null) continue;
      const json = appended(row.outcomes, own);
      if (json.length > outcomesCharactersMax) left.push(...own);
      else this.#sql.exec('UPDATE events SET outcomes = ? WHERE first_seq = ?', json, row.first_seq);
    }
    return left;
  }

  /** The events among these that a webhook has taken at the first attempt. */
  takenBetween(webhookId: string, from: number, to: number): number[] {
    const first = this.#rowOf(from)?.first_seq ?? from;
    return this.#sql
      .exec<{ outcomes: string }>(
        'SELECT outcomes FROM events WHERE first_seq BETWEEN ? AND ? AND outcomes IS NOT NULL',
        first,
        to,
      )
      .toArray()
      .flatMap(({ outcomes }) => parse(outcomes))
      .filter((outcome) => outcome.webhookId === webhookId)
      .map(({ seq }) => seq);
  }

  /** When each webhook has last taken an event at the first attempt, by the newest rows; milliseconds since 1970. */
  latest(): ReadonlyMap<string, number> {
    const latest = new Map<string, number>();
    let characters = 0;
    const newest = 'SELECT outcomes FROM events ORDER BY first_seq DESC LIMIT ?';
    for (const { outcomes } of this.#sql.exec<{ outcomes: string | null }>(newest, latestRows)) {
      characters += outcomes?.length ?? 0;
      if (characters > latestCharactersMax) break;
      for (const { webhookId, at, durationMs } of parse(outcomes)) {
        latest.set(webhookId, Math.max(latest.get(webhookId) ?? 0, at + durationMs));
      }
    }
    return latest;
  }

  /** The row that an event stands in; null when it is gone. */
  #rowOf(seq: number): Row | null {
    const select = 'SELECT first_seq, count, outcomes FROM events WHERE first_seq <= ?';
    const row = this.#sql.exec<Row>(`${select} ORDER BY first_seq DESC LIMIT 1`, seq).toArray()[0];
    return row !== undefined && seq < row.first_seq + row.count ? row : null;
  }
}

/** To the JSON of those before. */
function appended(before: string | null, outcomes: readonly EventOutcome[]): string {
  const json = JSON.stringify(outcomes);
  return before === null ? json : `${before.slice(0, -1)},${json.slice(1)}`;
}

const parse = (outcomes: string | null): EventOutcome[] => (outcomes === null ? [] : JSON.parse(outcomes));
