import type { EventName } from '../../../../contract/events.ts';
import type { DeliveryRow, DeliveryRows } from '../attempts/delivery-rows.ts';
import type { WebhookReader } from '../webhooks/webhook-reader.ts';
import {
  type DeliveryRecord,
  type FirstDeliveries,
  recordOfRow,
  type ShownStatus,
} from './first-deliveries.ts';

export interface DeliveryFilter {
  status?: ShownStatus | undefined;
  event?: EventName | undefined;
}

export interface DeliveryPage {
  data: DeliveryRecord[];
  /** The next page begins below this delivery id; null: there is none. A page may be short all the same. */
  nextBefore: string | null;
}

/** Rows that one page looks at. */
const rowsMax = 2_000;

/** A webhook's deliveries, newest first: those that were in trouble or are repetitions, and all others. */
export class DeliveryList {
  readonly #rows: DeliveryRows;
  readonly #firsts: FirstDeliveries;

  constructor(rows: DeliveryRows, firsts: FirstDeliveries) {
    this.#rows = rows;
    this.#firsts = firsts;
  }

  page(reader: WebhookReader, filter: DeliveryFilter, limit: number, before: string | null): DeliveryPage {
    const fits = ({ status, event }: DeliveryRecord) =>
      (filter.status === undefined || filter.status === status) &&
      (filter.event === undefined || filter.event === event);
    // Whatever failed has a row.
    const firsts =
      filter.status === 'failed'
        ? { found: [], downTo: null }
        : this.#firsts.newest(reader, before, limit + 1, fits);
    const ofRows = this.#newestRows(reader, before, limit + 1, fits);
    const downTo =
      [firsts.downTo, ofRows.downTo]
        .filter((id) => id !== null)
        .sort()
        .at(-1) ?? null;
    const found = [...firsts.found.map(({ seq: _, ...record }) => record), ...ofRows.found]
      .filter(({ deliveryId }) => downTo === null || deliveryId >= downTo)
      .sort((a, b) => (a.deliveryId < b.deliveryId ? 1 : -1));
    const data = found.slice(0, limit);
    const nextBefore = found.length > limit ? (data.at(-1)?.deliveryId ?? null) : downTo;
    return { data, nextBefore };
  }

  /** The deliveries of one event, the first one first. */
  ofEvent(reader: WebhookReader, seq: number): DeliveryRecord[] {
    const firsts = this.#firsts.between(reader, seq, seq).map(({ seq: _, ...record }) => record);
    const rows = this.#rows.select('webhook_id = ? AND seq = ? ORDER BY n', reader.id, seq);
    return [...firsts, ...rows.map((row) => recordOfRow(row, reader.isOn))];
  }

  #newestRows(
    reader: WebhookReader,
    before: string | null,
    wantedMax: number,
    fits: (record: DeliveryRecord) => boolean,
  ): { found: DeliveryRecord[]; downTo: string | null } {
    const found: DeliveryRecord[] = [];
    let [looked, last] = [0, before];
    while (looked < rowsMax) {
      const rows: DeliveryRow[] = this.#rows.newestBelow(reader.id, last, wantedMax);
      looked += rows.length;
      last = rows.at(-1)?.deliveryId ?? last;
      found.push(...rows.map((row) => recordOfRow(row, reader.isOn)).filter(fits));
      if (rows.length < wantedMax) return { found, downTo: null };
      if (found.length >= wantedMax) break;
    }
    return { found, downTo: last };
  }
}
