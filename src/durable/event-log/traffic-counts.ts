import type { EventEnvelope, EventName } from '../../contract/events.ts';
import { dayMs, hourMs } from '../../contract/times.ts';
import type { EventRows, StoredEvent } from './events/event-rows.ts';
import type { LogState } from './log-state.ts';

/** How far the counts go back. */
const trafficKeptDays = 32;

/** The steps that are counted. */
export const trafficSteps = ['queued', 'sent', 'delivered', 'read', 'failed', 'received'] as const;
type TrafficStep = (typeof trafficSteps)[number];
export type TrafficFigures = Record<TrafficStep, number>;

/** Steps that messages of a number have taken within one hour or day; `at` is where that begins, milliseconds since 1970. */
export type TrafficRow = { at: number; numberId: string } & TrafficFigures;

/** The step that an event tells of. */
export const stepOf: Partial<Record<EventName, TrafficStep>> = {
  'message.queued': 'queued',
  'message.sent': 'sent',
  'message.delivered': 'delivered',
  'message.read': 'read',
  'message.failed': 'failed',
  'message.received': 'received',
};

/** Events that one transaction counts. */
const sliceMax = 2_000;
const slicesMax = 10;
/**
 * Counting waits until there are this many events, or until the first of them is this old, so that many events share a row.
 */
const eventsMax = 5_000;
const waitMs = 24 * hourMs;

const positionName = 'traffic.position';

interface Parts {
  storage: DurableObjectStorage;
  state: LogState;
  events: EventRows;
}

/**
 * How many messages took which step in which hour, by number. They are counted from the log's events, now and then and
 * whenever somebody asks. That costs one row for each hour and number instead of one for each message. The counts are exact
 * after any crash: events that are not counted yet come after the stored position.
 */
export class TrafficCounts {
  readonly #parts: Parts;
  #position: number;
  /** When the first event that is not counted happened; null: not looked up. */
  #waitingSince: number | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#position = parts.state.get<number>(positionName) ?? 0;
  }

  /** When so much has come in that it has to be counted; the rest waits for another timer, or for whoever asks. */
  wakesAt(): number | null {
    return this.#parts.events.head - this.#begin() >= eventsMax ? 0 : null;
  }

  /** When what has come in is to be counted. */
  dueAt(): number | null {
    const { events } = this.#parts;
    const behind = events.head - this.#begin();
    if (behind <= 0) return null;
    if (behind >= eventsMax) return 0;
    this.#waitingSince ??= events.timeOf(this.#begin() + 1);
    return this.#waitingSince === null ? null : this.#waitingSince + waitMs;
  }

  /** Counts what has come in since the last time, slice by slice; others have their turn in between. */
  async run(now: number): Promise<void> {
    const { storage, events } = this.#parts;
    try {
      for (let slice = 0; slice < slicesMax && this.#begin() < events.head; slice += 1) {
        const read = events.read(this.#begin(), sliceMax);
        const last = read.at(-1);
        if (last === undefined) return;
        storage.transactionSync(() => this.#count(read, last.seq, now));
        this.#position = last.seq;
        if (last.seq < events.head) await scheduler.wait(0);
      }
    } finally {
      this.#waitingSince = null;
    }
  }

  /** By hour or by day (UTC), of one number or of each, between two times that begin such a span; oldest first. */
  async rows(
    spanHours: 1 | 24,
    since: number,
    until: number,
    numberId: string | null,
    now: number,
  ): Promise<TrafficRow[]> {
    await this.run(now);
    const rows: TrafficRow[] = [];
    // A day at a time: others have their turn in between.
    for (let from = since; from < until; from += dayMs) {
      if (from > since) await scheduler.wait(0);
      rows.push(...this.#rowsBetween(spanHours, from, Math.min(from + dayMs, until), numberId));
    }
    return rows;
  }

  #rowsBetween(spanHours: 1 | 24, since: number, until: number, numberId: string | null): TrafficRow[] {
    const sums = trafficSteps.map((step) => `sum(${step}) AS ${step}`).join(', ');
    return this.#parts.storage.sql
      .exec<TrafficRow>(
        `SELECT (hour / ${spanHours}) * ${spanHours * hourMs} AS at, number_id AS numberId, ${sums} FROM traffic
         WHERE hour >= ?1 AND hour < ?2 AND (?3 IS NULL OR number_id = ?3)
         GROUP BY hour / ${spanHours}, number_id ORDER BY 1`,
        since / hourMs,
        until / hourMs,
        numberId,
      )
      .toArray();
  }

  /** Behind which event counting goes on: what is gone from the log is not waited for. */
  #begin(): number {
    return Math.max(this.#position, this.#parts.events.oldest - 1);
  }

  #count(read: readonly StoredEvent[], upTo: number, now: number): void {
    const { storage, state } = this.#parts;
    const set = trafficSteps.map((step) => `${step} = ${step} + excluded.${step}`).join(', ');
    for (const { hour, numberId, figures } of figuresOf(read)) {
      storage.sql.exec(
        `INSERT INTO traffic (hour, number_id, ${trafficSteps.join(', ')}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET ${set}`,
        ...[hour, numberId, ...trafficSteps.map((step) => figures[step])],
      );
    }
    storage.sql.exec('DELETE FROM traffic WHERE hour < ?', Math.floor(now / hourMs) - trafficKeptDays * 24);
    state.put(positionName, upTo);
  }
}

interface HourOfNumber {
  hour: number;
  numberId: string;
  figures: TrafficFigures;
}

export const noTraffic = (): TrafficFigures => ({
  queued: 0,
  sent: 0,
  delivered: 0,
  read: 0,
  failed: 0,
  received: 0,
});

function figuresOf(read: readonly StoredEvent[]): Iterable<HourOfNumber> {
  const found = new Map<string, HourOfNumber>();
  for (const { envelope } of read) {
    const step = stepOf[envelope.event];
    const numberId = numberOf(envelope);
    if (step === undefined || numberId === null) continue;
    const hour = Math.floor(Date.parse(envelope.timestamp) / hourMs);
    const key = `${hour} ${numberId}`;
    const entry = found.get(key) ?? { hour, numberId, figures: noTraffic() };
    entry.figures[step] += 1;
    found.set(key, entry);
  }
  return found.values();
}

const numberOf = ({ data }: EventEnvelope): string | null => ('numberId' in data ? data.numberId : null);
