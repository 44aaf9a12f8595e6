import { fieldsOf, insertRow, type RowOf, rowOf, Tables } from '../../storage/rows.ts';
import type { StoredEvent } from '../events/event-rows.ts';
import { orderKeyOf } from './webhooks/webhook-configuration.ts';

/** An event that a webhook wants and that has no outcome yet. */
export interface OpenEvent extends StoredEvent {
  orderKey: string | null;
  isUnderWay: boolean;
  /** An attempt that nobody knows the outcome of may be under way until then. */
  notBefore: number;
}

export interface ReadRangeRow {
  id: string;
  webhookId: string;
  kind: 'first' | 'replay';
  begunAt: number;
  position: number;
  /** The last event of it; null: it goes on with the sequence. */
  until: number | null;
}

/**
 * A range of the sequence that a webhook reads, and its position in it. Only what is open is in memory; after a restart it is
 * found again by reading from the stored position.
 */
export class ReadRange {
  readonly id: string;
  readonly webhookId: string;
  readonly kind: 'first' | 'replay';
  readonly begunAt: number;
  until: number | null;
  /** The position as it is stored. */
  storedPosition: number;
  /** All up to here was looked at. */
  readTo: number;
  /** By sequence, ascending. */
  readonly open = new Map<number, OpenEvent>();

  constructor({ id, webhookId, kind, begunAt, position, until }: ReadRangeRow) {
    this.id = id;
    this.webhookId = webhookId;
    this.kind = kind;
    this.begunAt = begunAt;
    this.until = until;
    this.storedPosition = position;
    this.readTo = position;
  }

  /** Everything that is wanted up to here has an outcome. */
  get position(): number {
    const [first] = this.open.keys();
    return first === undefined ? this.readTo : first - 1;
  }

  /** There is no event left that was not looked at. */
  isReadUpTo(head: number): boolean {
    return this.readTo >= (this.until ?? head);
  }

  get isOver(): boolean {
    return this.until !== null && this.position >= this.until;
  }

  add(event: StoredEvent, notBefore: number): void {
    const orderKey = orderKeyOf(event.envelope);
    this.open.set(event.seq, { ...event, orderKey, isUnderWay: false, notBefore });
  }

  /** Whether this event is still to be delivered: it was not settled, or nobody has looked at it yet. */
  awaits(seq: number, head: number): boolean {
    return this.open.has(seq) || (seq > this.readTo && seq <= (this.until ?? head));
  }
}

/**
 * The next attempts at one webhook, in the order of the events. Events of one message go one at a time: a later one waits
 * until the earlier one is no longer open.
 * @param busy the messages with an attempt in progress
 */
export function nextAttempts(
  open: Iterable<OpenEvent>,
  busy: ReadonlySet<string>,
  attemptsMax: number,
  now: number,
): OpenEvent[] {
  const chosen: OpenEvent[] = [];
  const passed = new Set<string>();
  for (const event of open) {
    if (chosen.length === attemptsMax) break;
    const { orderKey } = event;
    const mayGo = !event.isUnderWay && event.notBefore <= now;
    if (mayGo && (orderKey === null || !(busy.has(orderKey) || passed.has(orderKey)))) chosen.push(event);
    if (orderKey !== null) passed.add(orderKey);
  }
  return chosen;
}

type SameInRow = Omit<ReadRangeRow, 'until'>;
type Row = RowOf<SameInRow> & { until_seq: number | null };

/** The table of what webhooks read. Call what writes inside a transaction. */
export class ReadRows extends Tables {
  /** In the order in which they are to be read. */
  all(): ReadRange[] {
    return this.queryAll<Row>('SELECT * FROM webhook_reads ORDER BY position, id').map(
      ({ until_seq, ...row }) => new ReadRange({ ...fieldsOf<SameInRow>(row), until: until_seq }),
    );
  }

  insert({ until, ...fields }: ReadRangeRow): void {
    insertRow(this.sql, 'INSERT INTO webhook_reads', { ...rowOf<SameInRow>(fields), until_seq: until });
  }

  close(id: string, until: number): void {
    this.sql.exec('UPDATE webhook_reads SET until_seq = ? WHERE id = ?', until, id);
  }

  move(id: string, position: number): void {
    this.sql.exec('UPDATE webhook_reads SET position = ? WHERE id = ?', position, id);
  }

  delete(id: string): void {
    this.sql.exec('DELETE FROM webhook_reads WHERE id = ?', id);
  }

  deleteOf(webhookId: string): void {
    this.sql.exec('DELETE FROM webhook_reads WHERE webhook_id = ?', webhookId);
  }
}
