import { logFault } from '../../durable/log.ts';
import { type DeliveryRow, isUntried } from '../db/deliveries.ts';
import { faultMessage } from '../db/fault-message.ts';
import type { WebhookRow } from '../db/webhooks.ts';
import { type AttemptResult, attemptLeaseMs, makeAttempt, recordAttemptResult } from './attempt.ts';
import { inFlight } from './in-flight.ts';
import { laneOf, queueDeliveries } from './lanes.ts';
import { sequenceKey, sequences } from './sequences.ts';

/**
 * As many connections as an invocation may have waiting at a time; of one webhook fewer, so that a hang leaves some, but
 * for one that is alone in the batch and is known to answer.
 */
const atOnceMax = 6;
const perWebhookMax = 3;
/** A batch makes attempts for so long; what it has not begun by then goes through the delivery queue. */
const batchMs = 1000;

/**
 * An attempt that has no answer after twice the time that its receiver usually takes, within these bounds, goes on behind
 * the batch. Who has not answered yet has the least.
 */
export interface Patience {
  leastMs: number;
  mostMs: number;
}
/** A hang from the first moment must not keep the others waiting. */
const patienceInBatch: Patience = { leastMs: 25, mostMs: 100 };
/** Where only the object's own next events wait: what goes on behind costs more. */
export const patienceAlone: Patience = { leastMs: 100, mostMs: 500 };
const ofUsual = 2;

interface Due {
  delivery: DeliveryRow;
  webhook: WebhookRow;
}

/**
 * The first attempts at the deliveries of one batch of events, made before their rows are stored: a receiver that
 * answers at once costs one row written and no queue message. A delivery whose attempt is still under way when the
 * batch goes on, or came to anything but success, is stored as pending and recorded from then on as any other; one
 * that was not begun is left to the delivery queue.
 *
 * A crash before the rows are stored takes nothing with it: the object still holds the event and sends it once more, and
 * the attempt is repeated under the same delivery id.
 */
export class FirstAttempts {
  readonly #env: Env;
  readonly #ladder: readonly number[];
  readonly #patience: Patience;
  /** Sequences that were not begun, by webhook. */
  readonly #waiting = new Map<string, Due[][]>();
  readonly #perWebhook = new Map<string, number>();
  #perWebhookMax = perWebhookMax;
  /** Every delivery that was begun, and since when; then those of them that are not over. */
  readonly #begun = new Map<string, number>();
  readonly #underWay = new Map<string, { webhookId: string; patientUntil: number }>();
  /** Ends what goes on behind the batch. */
  readonly #behind = new Map<string, () => void>();
  readonly #delivered = new Map<string, AttemptResult>();
  readonly #stored = Promise.withResolvers<ReadonlySet<string>>();
  readonly #work: Promise<void>[] = [];
  #changed = Promise.withResolvers<void>();
  #closed = false;

  constructor(env: Env, ladder: readonly number[], patience = patienceInBatch) {
    this.#env = env;
    this.#ladder = ladder;
    this.#patience = patience;
  }

  /** Attempts what may be attempted here and now, for a second at most; a receiver that hangs holds up a batch for 100 ms at most. */
  async run(deliveries: readonly DeliveryRow[], webhooks: ReadonlyMap<string, WebhookRow>): Promise<void> {
    const now = Date.now();
    const due = deliveries.flatMap((delivery) => {
      const webhook = webhooks.get(delivery.webhookId);
      if (webhook === undefined || !isUntried(delivery) || laneOf(webhook, now) === 'slow') return [];
      return [{ delivery, webhook }];
    });
    for (const sequence of sequences(due)) {
      const id = sequence[0]?.webhook.id ?? '';
      const waiting = this.#waiting.get(id);
      if (waiting === undefined) this.#waiting.set(id, [sequence]);
      else waiting.push(sequence);
    }
    const [webhookId, ...others] = this.#waiting.keys();
    const answers = webhookId !== undefined && inFlight.usualAnswerMs(webhookId) !== null;
    if (answers && others.length === 0) this.#perWebhookMax = atOnceMax;
    this.#beginMore();
    while (this.#mayStillGain(now)) {
      await Promise.race([this.#changed.promise, scheduler.wait(this.#patience.leastMs)]);
      this.#changed = Promise.withResolvers<void>();
    }
    this.#closed = true;
    for (const [deliveryId, { webhookId }] of this.#underWay) {
      this.#behind.set(deliveryId, inFlight.goOnBehind(webhookId));
    }
    for (const sequence of [...this.#waiting.values()].flat()) this.#leaveBehind(sequence);
  }

  /** The delivery as it is to be stored now. */
  rowOf(delivery: DeliveryRow): DeliveryRow {
    const result = this.#delivered.get(delivery.deliveryId);
    if (result !== undefined) {
      return { ...delivery, status: 'delivered', nextAttemptAt: null, attempts: [result.attempt] };
    }
    const begunAt = this.#begun.get(delivery.deliveryId);
    return begunAt === undefined ? delivery : { ...delivery, nextAttemptAt: begunAt + attemptLeaseMs };
  }

  wasBegun(delivery: DeliveryRow): boolean {
    return this.#begun.has(delivery.deliveryId);
  }

  /** Call once, with the ids of the deliveries that are stored. Resolves when every attempt is over and recorded. */
  async finish(stored: ReadonlySet<string>): Promise<void> {
    this.#stored.resolve(stored);
    // It still grows while it is waited for.
    for (const work of this.#work) await work;
  }

  /** Webhooks take turns, so that one with many deliveries does not keep the others waiting. */
  #beginMore(): void {
    for (const [webhookId, waiting] of this.#waiting) {
      if (this.#closed || this.#underWay.size >= atOnceMax) return;
      if ((this.#perWebhook.get(webhookId) ?? 0) >= this.#perWebhookMax) continue;
      const sequence = waiting.shift();
      this.#waiting.delete(webhookId);
      if (waiting.length > 0) this.#waiting.set(webhookId, waiting);
      if (sequence !== undefined) this.#work.push(this.#runSequence(webhookId, sequence));
    }
  }

  async #runSequence(webhookId: string, sequence: readonly Due[]): Promise<void> {
    const [first] = sequence;
    if (first === undefined) return;
    const key = sequenceKey(first.delivery);
    const place = inFlight.lineUp(key, first.delivery.eventId);
    this.#count(webhookId, 1);
    let over = 0;
    // Behind an earlier step of the same message it waits in the queue.
    if (place.begin() && !inFlight.isLeftBehind(key)) {
      while (over < sequence.length && (await this.#runOne(sequence[over]))) over += 1;
    }
    place.leave();
    this.#leaveBehind(sequence.slice(over));
    this.#count(webhookId, -1);
    this.#beginMore();
    this.#changed.resolve();
  }

  /** False when the delivery was not begun. */
  async #runOne(due: Due | undefined): Promise<boolean> {
    if (due === undefined || this.#closed) return false;
    const { delivery, webhook } = due;
    const { deliveryId } = delivery;
    const startedAt = Date.now();
    // While one at the same receiver is late, it is no use to wait for another.
    if (inFlight.isSlow(webhook.id, startedAt) || inFlight.goesOnBehind(webhook.id)) return false;
    const leave = inFlight.enter(webhook.id, deliveryId, false);
    if (leave === null) return false;
    this.#begun.set(deliveryId, startedAt);
    this.#underWay.set(deliveryId, {
      webhookId: webhook.id,
      patientUntil: startedAt + this.#patienceMs(webhook.id),
    });
    try {
      const result = await makeAttempt(this.#env, this.#ladder, delivery, webhook);
      inFlight.noteAnswered(webhook.id, Date.now() - startedAt);
      if (!this.#closed && result.verdict.kind === 'delivered') this.#delivered.set(deliveryId, result);
      else this.#work.push(this.#recordLater(delivery, result));
    } catch (error) {
      logFault('webhook.left_to_the_sweep', faultMessage(error).error, { deliveryId, webhookId: webhook.id });
    } finally {
      this.#underWay.delete(deliveryId);
      this.#behind.get(deliveryId)?.();
      leave();
    }
    return true;
  }

  async #recordLater(delivery: DeliveryRow, result: AttemptResult): Promise<void> {
    const { deliveryId, webhookId } = delivery;
    if (!(await this.#stored.promise).has(deliveryId)) return;
    try {
      await recordAttemptResult(this.#env, delivery, result);
      if (result.verdict.kind === 'retry') {
        await queueDeliveries(this.#env, 'slow', [delivery], result.verdict.delaySeconds);
      }
    } catch (error) {
      logFault('webhook.left_to_the_sweep', faultMessage(error).error, { deliveryId, webhookId });
    }
  }

  /** There is an attempt that may soon be over, and time for it. */
  #mayStillGain(since: number): boolean {
    const now = Date.now();
    if (now - since >= batchMs) return false;
    return [...this.#underWay.values()].some(({ patientUntil }) => now < patientUntil);
  }

  #patienceMs(webhookId: string): number {
    const { leastMs, mostMs } = this.#patience;
    return Math.min(mostMs, Math.max(leastMs, (inFlight.usualAnswerMs(webhookId) ?? 0) * ofUsual));
  }

  #leaveBehind(sequence: readonly Due[]): void {
    for (const { delivery } of sequence) inFlight.leaveBehind(sequenceKey(delivery));
  }

  #count(webhookId: string, by: number): void {
    this.#perWebhook.set(webhookId, (this.#perWebhook.get(webhookId) ?? 0) + by);
  }
}
