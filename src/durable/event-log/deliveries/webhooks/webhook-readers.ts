import { log } from '../../../log.ts';
import { newUuid } from '../../../new-ids.ts';
import type { LogState } from '../../log-state.ts';
import type { DeliveryRows } from '../attempts/delivery-rows.ts';
import { ReadRange, type ReadRangeRow, type ReadRows } from '../read-range.ts';
import { freshStreak } from './breaker.ts';
import { type AccountWebhooks, type WebhookConfiguration, wants } from './webhook-configuration.ts';
import { type ReaderRows, WebhookReader } from './webhook-reader.ts';

/** Rows of one webhook that one transaction brings forward, or deletes. */
const sliceMax = 5_000;

interface Parts {
  storage: DurableObjectStorage;
  state: LogState;
  rows: ReaderRows;
  reads: ReadRows;
  deliveries: DeliveryRows;
}

/** The account's webhooks, as the log has read them from D1 last, each with how far it has read. */
export class WebhookReaders {
  readonly #parts: Parts;
  readonly #readers = new Map<string, WebhookReader>();
  /** Rows of a webhook that is gone are left: see `ForgottenDeliveries`. */
  hasDropped = false;
  /** Of the configuration that was read last; null: none was yet. */
  #revision: number | null;

  /** `leasedUntil`: until then attempts of an earlier life may be under way. */
  constructor(parts: Parts, leasedUntil: number) {
    this.#parts = parts;
    this.#revision = parts.state.get<number>('webhooks.revision');
    for (const { configuration, streak, lastDeliveryAt, provenUrl } of parts.rows.all()) {
      const reader = new WebhookReader(configuration, streak, lastDeliveryAt, leasedUntil);
      reader.provenUrl = provenUrl;
      this.#readers.set(reader.id, reader);
    }
    this.endWaitsOfOtherClock(Date.now());
    for (const range of parts.reads.all()) {
      const reader = this.#readers.get(range.webhookId);
      if (range.kind === 'first') reader?.firsts.push(range);
      else reader?.replays.push(range);
    }
  }

  get all(): readonly WebhookReader[] {
    return [...this.#readers.values()];
  }

  get wasRead(): boolean {
    return this.#revision !== null;
  }

  get(webhookId: string): WebhookReader | null {
    return this.#readers.get(webhookId) ?? null;
  }

  /** Takes over the configuration as D1 has it; one that is older than what is known changes nothing. */
  async configure({ revision, webhooks }: AccountWebhooks, head: number): Promise<void> {
    if (revision < (this.#revision ?? 0)) return;
    const { storage, state } = this.#parts;
    const switchedOn: WebhookReader[] = [];
    const changes: (() => void)[] = [];
    storage.transactionSync(() => {
      if (revision !== this.#revision) state.put('webhooks.revision', revision);
      const known = new Set(webhooks.map(({ id }) => id));
      for (const reader of this.all) if (!known.has(reader.id)) changes.push(this.#drop(reader));
      for (const webhook of webhooks) {
        const reader = this.get(webhook.id);
        if (reader === null) changes.push(this.#add(webhook, head));
        else if (JSON.stringify(reader.configuration) !== JSON.stringify(webhook)) {
          if (webhook.enabled && !reader.configuration.enabled) switchedOn.push(reader);
          changes.push(this.#change(reader, webhook, head));
        }
      }
    });
    // Memory follows what is stored, never the other way round.
    this.#revision = revision;
    for (const change of changes) change();
    for (const reader of switchedOn) await this.#release(reader);
  }

  /** A person has switched the webhook on: when its circuit is open, it begins afresh. */
  async closeCircuit(webhookId: string): Promise<void> {
    const reader = this.get(webhookId);
    if (reader === null || !reader.streak.isOpen) return;
    const { storage, rows } = this.#parts;
    storage.transactionSync(() => rows.storeStreak(webhookId, freshStreak, reader.lastDeliveryAt));
    reader.streak = freshStreak;
    reader.leasedUntil = 0;
    log('webhook.circuit_closed', { webhookId });
    await this.#release(reader);
  }

  /** Lets a webhook read a part of the sequence once more. */
  addReplay(reader: WebhookReader, from: number, until: number, now: number): void {
    const row = this.#newRange(reader.id, 'replay', from, until, now);
    this.#parts.storage.transactionSync(() => this.#parts.reads.insert(row));
    reader.replays.push(new ReadRange(row));
  }

  #add(webhook: WebhookConfiguration, head: number): () => void {
    const { rows, reads } = this.#parts;
    const { configuration, streak, lastDeliveryAt } = rows.insert(webhook);
    const row = this.#newRange(webhook.id, 'first', head, webhook.enabled ? null : head, Date.now());
    if (webhook.enabled) reads.insert(row);
    return () => {
      const reader = new WebhookReader(configuration, streak, lastDeliveryAt, 0);
      if (webhook.enabled) reader.firsts.push(new ReadRange(row));
      this.#readers.set(reader.id, reader);
    };
  }

  #change(reader: WebhookReader, webhook: WebhookConfiguration, head: number): () => void {
    const { rows, reads } = this.#parts;
    rows.configure(webhook);
    // What was passed over under the old filter stays so, also after a new start.
    const moved = reader.firsts.map((range) => [range, range.position] as const);
    for (const [range, position] of moved) reads.move(range.id, position);
    const live = reader.firsts.find(({ until }) => until === null);
    const opened = this.#newRange(webhook.id, 'first', head, null, Date.now());
    const opens = webhook.enabled && live === undefined;
    const closes = !webhook.enabled && live !== undefined;
    // Off or on by a person's word: whatever the circuit was, it is closed.
    const streak = opens ? freshStreak : closes ? { ...reader.streak, isOpen: false } : reader.streak;
    if (opens) reads.insert(opened);
    if (closes) reads.close(live.id, head);
    if (streak !== reader.streak) rows.storeStreak(webhook.id, streak, reader.lastDeliveryAt);
    return () => {
      if (reader.configuration.url !== webhook.url) reader.urlSince = Date.now();
      reader.configuration = webhook;
      reader.streak = streak;
      for (const [range, position] of moved) range.storedPosition = position;
      if (opens) {
        reader.firsts.push(new ReadRange(opened));
        reader.leasedUntil = 0;
      }
      if (closes) live.until = head;
      for (const { open } of reader.ranges) {
        for (const [seq, event] of open) {
          if (!event.isUnderWay && !wants(webhook, event.envelope)) open.delete(seq);
          if (opens) event.notBefore = 0;
        }
      }
    };
  }

  #drop(reader: WebhookReader): () => void {
    const { rows, reads, deliveries } = this.#parts;
    reads.deleteOf(reader.id);
    if (deliveries.deleteOf(reader.id, sliceMax) < sliceMax) rows.delete(reader.id);
    else rows.markDeleted(reader.id);
    return () => {
      this.#readers.delete(reader.id);
      this.hasDropped = true;
    };
  }

  /** The clock was set back: nothing waits until it has caught up. */
  endWaitsOfOtherClock(now: number): void {
    const { deliveries } = this.#parts;
    for (const reader of this.#readers.values()) {
      deliveries.endWaitsOfOtherClock(reader.id, now);
      reader.nextRetryAt = deliveries.earliestDue(reader.id);
    }
  }

  /** What waits for a later attempt goes out now: the receiver is said to be mended. */
  async #release(reader: WebhookReader): Promise<void> {
    const { storage, deliveries } = this.#parts;
    const release = () => deliveries.bringForward(reader.id, Date.now(), sliceMax);
    while (storage.transactionSync(release) === sliceMax) await scheduler.wait(1);
    reader.nextRetryAt = deliveries.earliestDue(reader.id);
  }

  #newRange(
    webhookId: string,
    kind: ReadRangeRow['kind'],
    position: number,
    until: number | null,
    begunAt: number,
  ): ReadRangeRow {
    return { id: newUuid(), webhookId, kind, begunAt, position, until };
  }
}
