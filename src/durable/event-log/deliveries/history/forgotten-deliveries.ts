import { dayMs } from '../../../../contract/times.ts';
import { log } from '../../../log.ts';
import type { EventRows } from '../../events/event-rows.ts';
import type { DeliveryRows } from '../attempts/delivery-rows.ts';
import { deliveryIdsFrom } from '../webhooks/webhook-configuration.ts';
import type { ReaderRows } from '../webhooks/webhook-reader.ts';
import type { WebhookReaders } from '../webhooks/webhook-readers.ts';

/** Rows deleted in one transaction. */
const sliceMax = 1_000;
/** Between two slices. */
const pauseMs = 200;
/** Tests are no events, so they are kept for a time of their own. */
const testsKeptMs = 30 * dayMs;

/** Deletes, in slices, the deliveries of events that are no longer kept, and those of webhooks that are gone. */
export class ForgottenDeliveries {
  readonly #storage: DurableObjectStorage;
  readonly #rows: DeliveryRows;
  readonly #readerRows: ReaderRows;
  readonly #readers: WebhookReaders;
  readonly #events: EventRows;
  /** The events below this have no deliveries any more, and tests were looked at then. */
  #doneBelow = 0;
  #testsDoneAt = 0;
  #deletedWebhook: string | null;
  #pauseUntil = 1;

  constructor(
    storage: DurableObjectStorage,
    rows: DeliveryRows,
    readerRows: ReaderRows,
    readers: WebhookReaders,
    events: EventRows,
  ) {
    this.#storage = storage;
    this.#rows = rows;
    this.#readerRows = readerRows;
    this.#readers = readers;
    this.#events = events;
    this.#deletedWebhook = readerRows.oneDeleted();
  }

  dueAt(): number | null {
    const isLeft = this.#deletedWebhook !== null || this.#readers.hasDropped;
    const isOld = this.#readers.all.length > 0 && this.#events.oldest > Math.max(1, this.#doneBelow);
    return isLeft || isOld ? this.#pauseUntil : null;
  }

  run(now: number): void {
    this.#readers.hasDropped = false;
    const deleted = this.#storage.transactionSync(() => this.#deletedOf() + this.#old(now));
    if (deleted > 0) log('webhook.forgotten', { rows: deleted });
    this.#deletedWebhook = this.#readerRows.oneDeleted();
    this.#pauseUntil = Date.now() + pauseMs;
  }

  #deletedOf(): number {
    const webhookId = this.#readerRows.oneDeleted();
    if (webhookId === null) return 0;
    const deleted = this.#rows.deleteOf(webhookId, sliceMax);
    if (deleted < sliceMax) this.#readerRows.delete(webhookId);
    return deleted;
  }

  #old(now: number): number {
    const { oldest } = this.#events;
    let deleted = 0;
    for (const reader of this.#readers.all) {
      const { id } = reader;
      const more = this.#rows.deleteBelow(id, oldest, sliceMax);
      deleted += more;
      reader.nextRetryAt = this.#rows.earliestDue(id);
      if (more === sliceMax) return deleted;
      if (this.#testsDoneAt < now - dayMs) {
        this.#rows.deleteTestsBelow(id, deliveryIdsFrom(now - testsKeptMs), sliceMax);
      }
    }
    this.#testsDoneAt = now;
    this.#doneBelow = oldest;
    return deleted;
  }
}
