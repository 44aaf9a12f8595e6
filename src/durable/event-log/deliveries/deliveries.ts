import { type Refusal, refuse } from '../../../contract/errors.ts';
import { settingsOf } from '../../../settings/worker-settings.ts';
import { hostNameOf } from '../../callback-host/host-shares.ts';
import type { Counting } from '../../counts/gathered-counts.ts';
import { earliest } from '../../due-times.ts';
import { logFault } from '../../log.ts';
import type { NamedTimer } from '../../named-timers.ts';
import { SharedRun } from '../../shared-run.ts';
import type { assembleAlerts } from '../alerts/alerts.ts';
import type { EventRows } from '../events/event-rows.ts';
import type { LogState } from '../log-state.ts';
import type { WakeUps } from '../wake-ups.ts';
import { DeliveryRows } from './attempts/delivery-rows.ts';
import { AttemptLease, DeliveryScheduler } from './attempts/delivery-scheduler.ts';
import { EventOutcomes } from './attempts/event-outcomes.ts';
import { countAttempts, type MadeAttempt } from './attempts/planned-attempt.ts';
import { Planner } from './attempts/planner.ts';
import { Recorder } from './attempts/recorder.ts';
import { SenderCalls } from './attempts/sender-calls.ts';
import { TestDelivery, type TestOutcome } from './attempts/test-delivery.ts';
import type { Deliver } from './delivery-order.ts';
import { type DeliveryFilter, DeliveryList, type DeliveryPage } from './history/delivery-list.ts';
import { type DeliveryRecord, FirstDeliveries, type WebhookDelivery } from './history/first-deliveries.ts';
import { ForgottenDeliveries } from './history/forgotten-deliveries.ts';
import {
  RepetitionBudget,
  type RepetitionPlace,
  type RepetitionSlice,
  Repetitions,
  type ReplayRange,
} from './history/repetitions.ts';
import { ReadRows } from './read-range.ts';
import { RecentEvents } from './recent-events.ts';
import { circuitAfterMs } from './webhooks/breaker.ts';
import { loadWebhooks } from './webhooks/webhook-configuration.ts';
import { ReaderRows } from './webhooks/webhook-reader.ts';
import { WebhookReaders } from './webhooks/webhook-readers.ts';

/** After this many events a webhook's position is stored. After a restart at most these are read again. */
const movedMin = 32;

/** Until webhooks that could not be read are read again. */
const readAgainMs = 60_000;

/** After a restart, the deliveries of this many events are examined to find when webhooks last had one. */
const lookedBack = 200;

interface DeliveriesParts {
  ctx: DurableObjectState;
  env: Env;
  accountId: string;
  state: LogState;
  events: EventRows;
  generation: string;
  deliver: Deliver;
  wakeUps: WakeUps;
  alerts: Pick<ReturnType<typeof assembleAlerts>, 'rows' | 'end'>;
  counting: Counting;
  /** The trace of an outbound message; undefined where it has none. */
  traceOf: (messageId: string) => string | undefined;
  /** Sets the object's alarm, where a timer has become earlier. */
  arm: () => void;
}

/** How a webhook does, beside what a person has configured. */
export interface WebhookState {
  webhookId: string;
  failureStreak: number;
  isCircuitOpen: boolean;
  /** Milliseconds since 1970; null: never. */
  lastDeliveryAt: number | null;
}

/**
 * Delivers the account's events to its webhooks. Owns each webhook's position in the sequence, its streak of failures and its
 * deliveries, all in tables. Only what is open or in progress is in memory.
 */
export class Deliveries {
  readonly timers: readonly NamedTimer[];
  readonly #parts: DeliveriesParts;
  readonly #readers: WebhookReaders;
  readonly #recorder: Recorder;
  readonly #scheduler: DeliveryScheduler;
  readonly #tests: TestDelivery;
  readonly #list: DeliveryList;
  readonly #repetitions: Repetitions;
  readonly #graceMs: number;
  readonly #refreshing = new SharedRun(() => this.#refresh());
  /** A log that has never read its webhooks does so when something happens. */
  #readAgainAt = 0;

  constructor(parts: DeliveriesParts) {
    this.#parts = parts;
    const { ctx, env, accountId, state, events, generation, deliver, arm } = parts;
    const { storage } = ctx;
    const { sql } = storage;
    const lease = new AttemptLease(state, Date.now());
    const head = () => events.head;
    const waitUntil = (work: Promise<unknown>) => ctx.waitUntil(work);
    const [rows, reads, readerRows] = [new DeliveryRows(sql), new ReadRows(sql), new ReaderRows(sql)];
    const outcomes = new EventOutcomes(sql);
    this.#graceMs = settingsOf(env).QUEUE_GRACE_SECONDS * 1000;
    this.#readers = new WebhookReaders(
      { storage, state, rows: readerRows, reads, deliveries: rows },
      lease.until,
    );
    for (const { webhookId, at, durationMs } of outcomes.between(events.head - lookedBack, events.head))
      this.#readers.get(webhookId)?.noteDelivered(at + durationMs);
    this.#recorder = new Recorder({
      storage,
      rows,
      outcomes,
      readers: readerRows,
      reads,
      alerts: parts.alerts.rows,
      circuitAfterMs: circuitAfterMs(settingsOf(env).WEBHOOK_RETRY_SECONDS),
    });
    const record = (made: readonly MadeAttempt[]) => this.#record(made);
    const calls = new SenderCalls({ accountId, storage, rows, deliver, record });
    const planner = new Planner({ events: new RecentEvents(events), rows, outcomes, traceOf: parts.traceOf });
    this.#scheduler = new DeliveryScheduler({
      readers: this.#readers,
      planner,
      calls,
      lease,
      head,
      waitUntil,
      askShare: (host, wanted) =>
        env.CALLBACK_HOST.getByName(hostNameOf(host)).share({ accountId, ...wanted }),
      arm,
    });
    this.#tests = new TestDelivery(accountId, storage, rows, deliver, record);
    const firsts = new FirstDeliveries(outcomes, rows, events);
    this.#list = new DeliveryList(rows, firsts);
    this.#repetitions = new Repetitions({
      storage,
      events,
      generation,
      rows,
      firsts,
      readers: this.#readers,
      budget: new RepetitionBudget(sql, settingsOf(env).REPEATED_DELIVERIES_PER_DAY),
    });
    const forgotten = new ForgottenDeliveries(storage, rows, readerRows, this.#readers, events);
    this.timers = [
      { name: 'deliveries', dueAt: () => this.#scheduler.dueAt(), run: () => this.wake() },
      { name: 'retries', dueAt: () => this.#lateRetryAt(), run: () => this.wake() },
      { name: 'forgotten deliveries', dueAt: () => forgotten.dueAt(), run: (now) => forgotten.run(now) },
    ];
  }

  /** Call after each commit that may have brought events; begins their first attempts at once. */
  wake(wakeUps: readonly string[] = []): void {
    if (this.#readers.wasRead) {
      this.#scheduler.wake(wakeUps);
      this.storePositions(movedMin);
    } else if (this.#readAgainAt <= Date.now()) {
      this.#readAgainAt = Date.now() + readAgainMs;
      this.#parts.ctx.waitUntil(this.refresh().catch((error) => logFault('webhooks.not_read', error)));
    }
  }

  /** Stores where each webhook is that has moved on by so many events. */
  storePositions(moved = 1): void {
    this.#recorder.storePositions(this.#readers.all, moved);
  }

  /** Takes over the webhooks as D1 has them. When it returns, they are in force. */
  refresh(): Promise<void> {
    return this.#refreshing.run();
  }

  /** A person has switched this webhook on. */
  async closeCircuit(webhookId: string): Promise<void> {
    await this.#readers.closeCircuit(webhookId);
    this.#endAlerts();
    this.wake();
  }

  states(webhookIds: readonly string[]): WebhookState[] {
    return webhookIds.flatMap((webhookId) => {
      const reader = this.#readers.get(webhookId);
      if (reader === null) return [];
      const { streak, lastDeliveryAt } = reader;
      return [{ webhookId, failureStreak: streak.failures, isCircuitOpen: streak.isOpen, lastDeliveryAt }];
    });
  }

  page(webhookId: string, filter: DeliveryFilter, limit: number, before: string | null): DeliveryPage | null {
    const reader = this.#readers.get(webhookId);
    return reader === null ? null : this.#list.page(reader, filter, limit, before);
  }

  /** Every delivery of an event, webhook by webhook, the first of each first. */
  ofEvent(seq: number): WebhookDelivery[] {
    return this.#readers.all.flatMap((reader) =>
      this.#list.ofEvent(reader, seq).map((record) => ({ webhookId: reader.id, ...record })),
    );
  }

  /** Sends a test now and once, whether the webhook is on or off. */
  async test(webhookId: string): Promise<TestOutcome | null> {
    const reader = this.#readers.get(webhookId);
    if (reader === null) return null;
    const test = this.#tests.make(reader);
    // The outcome is stored also when nobody waits for the answer any more.
    this.#parts.ctx.waitUntil(test.catch(() => undefined));
    return test;
  }

  redeliver(webhookId: string, deliveryId: string): DeliveryRecord | Refusal | null {
    const reader = this.#readers.get(webhookId);
    if (reader === null) return null;
    const record = this.#repetitions.redeliver(reader, deliveryId, Date.now());
    this.wake();
    return record;
  }

  redeliverSince(
    webhookId: string,
    since: number,
    status: 'failed' | 'delivered',
    from: RepetitionPlace | null,
  ): RepetitionSlice | Refusal {
    const reader = this.#readers.get(webhookId);
    if (reader === null) return { ok: true, count: from?.count ?? 0, next: null };
    const redelivered = this.#repetitions.redeliverSince(reader, since, status, from, Date.now());
    this.wake();
    return redelivered;
  }

  replay(webhookId: string, range: ReplayRange, from: RepetitionPlace | null): RepetitionSlice | Refusal {
    const reader = this.#readers.get(webhookId);
    if (reader === null) return refuse('NOT_FOUND', 'There is no such webhook.');
    const replayed = this.#repetitions.replay(reader, range, from, Date.now());
    this.wake();
    return replayed;
  }

  async #refresh(): Promise<void> {
    const loaded = await loadWebhooks(this.#parts.env.DB, this.#parts.accountId);
    // An account that D1 does not have (yet, or any more) changes nothing here.
    if (loaded === null) return;
    await this.#readers.configure(loaded, this.#parts.events.head);
    this.#endAlerts();
    this.wake();
  }

  /** A webhook that is gone, or that a person has switched on or off, troubles nobody any more. */
  #endAlerts(): void {
    const { rows, end } = this.#parts.alerts;
    for (const { kind, subject } of rows.open) {
      if (kind !== 'webhook.failing' && kind !== 'webhook.disabled') continue;
      const reader = this.#readers.get(subject.slice('webhook:'.length));
      const lasts = kind === 'webhook.disabled' ? reader?.streak.isOpen : reader?.isOn;
      if (!lasts) end([kind], subject);
    }
  }

  #record(made: readonly MadeAttempt[]): void {
    // What was under way to a webhook that is deleted has nothing left to belong to.
    const known = made.filter(({ reader }) => this.#readers.get(reader.id) === reader);
    const { retries } = this.#recorder.record(known);
    countAttempts(this.#parts.counting, known);
    const due = retries.filter(({ webhookId }) => this.#readers.get(webhookId)?.isOn);
    const { ctx, wakeUps, arm } = this.#parts;
    if (due.length > 0) ctx.waitUntil(wakeUps.retries(due, Date.now()));
    for (const reader of new Set(known.map((one) => one.reader))) this.#scheduler.run(reader);
    this.storePositions(movedMin);
    arm();
  }

  /** When the first of the deliveries that wait has lost its wake-up. */
  #lateRetryAt(): number | null {
    const dueAt = earliest(this.#readers.all.map(({ isOn, nextRetryAt }) => (isOn ? nextRetryAt : null)));
    return dueAt === null ? null : dueAt + this.#graceMs;
  }
}
