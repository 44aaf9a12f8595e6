import { EventOutcomes } from '../deliveries/attempts/event-outcomes.ts';
import type { EventRows } from '../events/event-rows.ts';
import type { LogState } from '../log-state.ts';
import { type ArchivedRows, type Slice, type SliceLimits, segmentName } from './archived-rows.ts';
import type { Due } from './retention.ts';
import type { SegmentRange } from './segments/segments.ts';

type Row = { first_seq: number; count: number; at: number; bodies: string };

/** What a webhook's outcome takes, most often. */
const outcomeCharacters = 150;

/**
 * Events on their way to the archive, with what became of them: the first outcomes, and the deliveries that were tried
 * more often. Whoever keeps the deliveries deletes them once their events are gone.
 */
export class ArchivedEvents implements ArchivedRows {
  readonly #sql: SqlStorage;
  readonly #events: EventRows;
  readonly #outcomes: EventOutcomes;
  readonly #state: LogState;
  readonly #accountId: string;

  constructor(sql: SqlStorage, events: EventRows, state: LogState, accountId: string) {
    this.#sql = sql;
    this.#events = events;
    this.#outcomes = new EventOutcomes(sql);
    this.#state = state;
    this.#accountId = accountId;
  }

  oldestAt(): number | null {
    const query = 'SELECT at FROM events ORDER BY first_seq LIMIT 1';
    return this.#sql.exec<{ at: number }>(query).toArray()[0]?.at ?? null;
  }

  next({ before, keepsUndelivered }: Due, limits: SliceLimits): Slice | null {
    const rows = this.#sql
      .exec<{ first_seq: number; count: number; at: number; characters: number }>(
        `SELECT first_seq, count, at,
           length(bodies) + count * ${outcomeCharacters} * (SELECT count(*) FROM webhook_readers) AS characters
         FROM events ORDER BY first_seq LIMIT ?`,
        limits.rowsMax,
      )
      .toArray();
    const end = keepsUndelivered ? this.#deliveredUpTo() : Number.POSITIVE_INFINITY;
    let [first, last, lastAt] = [0, 0, 0];
    let sum = 0;
    for (const { first_seq, count, at, characters } of rows) {
      sum += characters;
      if (at >= before || first_seq + count - 1 > end || (last > 0 && sum > limits.charactersMax)) break;
      first ||= first_seq;
      last = first_seq + count - 1;
      lastAt = at;
    }
    if (last === 0) return null;
    const folder = `${this.#accountId}/events/${this.#state.generation()}`;
    const key = `${folder}/${segmentName(first, last)}`;
    return { range: { kind: 'events', first, last, lastAt, key }, isAddition: false };
  }

  lines({ first, last }: SegmentRange): string[] {
    const deliveries = this.#deliveries(first, last);
    const outcomes = this.#outcomes.between(first, last);
    let place = 0;
    return this.#sql
      .exec<Row>('SELECT * FROM events WHERE first_seq BETWEEN ? AND ? ORDER BY first_seq', first, last)
      .toArray()
      .map(({ first_seq, count, at, bodies }) => {
        const begin = place;
        while ((outcomes[place]?.seq ?? Number.POSITIVE_INFINITY) < first_seq + count) place += 1;
        const json = place === begin ? 'null' : JSON.stringify(outcomes.slice(begin, place));
        return `{"firstSeq":${first_seq},"at":${at},"bodies":${bodies},"outcomes":${json}}`;
      })
      .concat(deliveries.map((delivery) => JSON.stringify({ delivery })));
  }

  #deliveries(first: number, last: number): Record<string, SqlStorageValue>[] {
    return this.#sql
      .exec(
        `SELECT deliveries.* FROM webhook_readers CROSS JOIN deliveries
         ON deliveries.webhook_id = webhook_readers.webhook_id AND deliveries.seq BETWEEN ? AND ?`,
        first,
        last,
      )
      .toArray();
  }

  /** No webhook has yet to get anything up to here. */
  #deliveredUpTo(): number {
    const row = this.#sql
      .exec<{ read: number | null; pending: number | null }>(
        `SELECT (SELECT min(position) FROM webhook_reads) AS read,
           (SELECT min(seq) FROM deliveries WHERE next_attempt_at IS NOT NULL AND seq > 0) AS pending`,
      )
      .one();
    return Math.min(row.read ?? this.#events.head, (row.pending ?? this.#events.head + 1) - 1);
  }

  delete({ last }: SegmentRange): void {
    this.#events.deleteUpTo(last);
    this.#outcomes.dropBefore(this.#events.oldestAt() ?? Date.now());
  }
}
