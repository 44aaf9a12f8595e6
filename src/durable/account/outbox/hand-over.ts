import { type SendLane, sendLanes } from '../../../contract/messages/message.ts';
import { earliest, endOfWait } from '../../due-times.ts';
import type { AcceptedMessage, BatchTaken, MessageBatch } from '../../hand-over/message-batch.ts';
import { log, logFault } from '../../log.ts';
import type { OptOuts } from '../recipients/opt-outs.ts';
import type { CurrentPool } from '../senders/current-pool.ts';
import { canSend, kindsThatMayLeave, type MessageKind, type Sender } from '../senders/sender.ts';
import type { Senders } from '../senders/senders.ts';
import type { Backlog } from './backlog.ts';
import { type Failures, recipientOptedOut, tooLate } from './failures.ts';

/** Messages in one batch. */
const batchMax = 64;
/** A call that has no answer for so long counts as failed. */
const answerMs = 30_000;
const firstRetryMs = 500;
const retryMsMax = 60_000;

/** A number that does not answer. */
interface Failure {
  since: number;
  retryAt: number;
  retryMs: number;
}

const retryDueAt = ({ retryAt, retryMs }: Failure, now = Date.now()): number =>
  endOfWait(retryAt, retryMs, now);
/** How long after a restart earlier batches are offered again, if nothing else happens before. */
const resumeAfterMs = 1_000;
/** How many replies of people go into a full queue. */
const overflowMax = 16;
const personAlone: readonly SendLane[] = ['person'];

const byAge = (a: AcceptedMessage, b: AcceptedMessage) => (a.messageId < b.messageId ? -1 : 1);

interface HandOverParts {
  senders: Senders;
  backlog: Backlog;
  currentPool: CurrentPool;
  optOuts: OptOuts;
  failures: Failures;
  /** Makes a change in one transaction. */
  change: <Result>(work: () => Result) => Result;
  give: (numberId: string, batch: MessageBatch) => Promise<BatchTaken>;
  waitUntil: (promise: Promise<void>) => void;
}

/**
 * Gives numbers as many messages as they have room for, in batches, one batch at a time for each number. A batch is stored
 * before it is offered, and offered until the number responds, so a repeat is always the same batch. A number that does not
 * respond delays no other.
 */
export class HandOver {
  readonly #parts: HandOverParts;
  /** Batches that were stored and have yet to be offered in this life. */
  readonly #formed = new Map<string, MessageBatch>();
  /** Numbers that are being asked, and since when; the one asked first comes first. */
  readonly #underWay = new Map<string, { batchNumber: number; at: number }>();
  /** Numbers that did not answer: since when, and when they are asked again. */
  readonly #failing = new Map<string, Failure>();
  #isResumed = false;
  readonly #bornAt = Date.now();

  constructor(parts: HandOverParts) {
    this.#parts = parts;
  }

  /** Makes the next batch for a number that has room. Call inside a transaction that saves the sender afterwards. */
  form(sender: Sender, now: number): void {
    if (sender.batch !== null || !canSend(sender)) return;
    // What a person answers does not wait until a queue has room that others have filled.
    const lanes = sender.room > 0 ? sendLanes : personAlone;
    const messages = this.#next(sender, lanes, now);
    if (messages.length === 0) return;
    sender.batchNumber += 1;
    sender.batch = messages.map(({ messageId }) => messageId);
    this.#formed.set(sender.numberId, { batchNumber: sender.batchNumber, messages });
  }

  /** The number says how far it has taken batches. Call inside a transaction that saves the sender afterwards. */
  noteTaken(sender: Sender, takenUpTo: number): void {
    const { batch, batchNumber, numberId } = sender;
    if (batch !== null && takenUpTo >= batchNumber) {
      this.#formed.delete(numberId);
      sender.batch = null;
      // One that knows of batches that were never made here, since one of the two was restored, has not looked at it.
      if (takenUpTo === batchNumber) this.#parts.backlog.remove(sender, batch);
      else log('batch.number_jumped', { numberId, batchNumber, takenUpTo });
    }
    sender.batchNumber = Math.max(batchNumber, takenUpTo);
  }

  /** After a commit: offers what was formed in it. */
  start(): void {
    if (!this.#isResumed) this.#resume();
    for (const [numberId, batch] of this.#formed) {
      if (this.#underWay.has(numberId)) continue;
      this.#formed.delete(numberId);
      this.#parts.waitUntil(this.#offer(numberId, batch));
    }
  }

  /** Since when the number does not answer; null when it does. */
  failingSince(numberId: string): number | null {
    return this.#failing.get(numberId)?.since ?? null;
  }

  /** When a number is to be asked again; null when none is. */
  dueAt(): number | null {
    if (!this.#isResumed && [...this.#parts.senders.all].some(({ batch }) => batch !== null)) {
      return this.#bornAt + resumeAfterMs;
    }
    const [oldest] = this.#underWay.values();
    const failing = [...this.#failing].filter(([numberId]) => !this.#underWay.has(numberId));
    const answerDueAt = oldest && endOfWait(oldest.at + answerMs, answerMs);
    return earliest([answerDueAt, ...failing.map(([, failure]) => retryDueAt(failure))]);
  }

  /** Asks those again that have not answered. */
  run(now: number): void {
    for (const [numberId, { at }] of this.#underWay) {
      if (endOfWait(at + answerMs, answerMs, now) > now) break;
      this.#underWay.delete(numberId);
      this.#noteFailure(numberId, new Error('no answer in time'), now);
    }
    for (const [numberId, failure] of this.#failing) {
      if (retryDueAt(failure, now) > now || this.#underWay.has(numberId)) continue;
      const batch = this.#stored(numberId);
      if (batch !== null) this.#formed.set(numberId, batch);
      else this.#noteAnswer(numberId);
    }
    this.start();
  }

  /** After a transaction that was rolled back: what was formed in it is not stored. */
  reload(): void {
    this.#formed.clear();
    this.#isResumed = false;
  }

  /** What the room of the number is for: the oldest messages that its day and its health let through. */
  #next(sender: Sender, lanes: readonly SendLane[], now: number): AcceptedMessage[] {
    const { backlog, failures, optOuts } = this.#parts;
    for (;;) {
      const messages = this.#oldest(sender, lanes);
      const lost = messages.flatMap((message) => {
        if (message.expiresAt <= now) return [{ message, why: tooLate(sender) }];
        const hasOptedOut =
          !message.isQuiet &&
          optOuts.mayHaveSince(message.queuedAt) &&
          (optOuts.has(message.to) || (message.dialled !== undefined && optOuts.has(message.dialled)));
        return hasOptedOut ? [{ message, why: recipientOptedOut }] : [];
      });
      if (lost.length === 0) return messages;
      for (const { message, why } of lost) failures.fail(message, sender, why, now);
      backlog.remove(
        sender,
        lost.map(({ message }) => message.messageId),
      );
    }
  }

  /** Lane by lane, and in each the oldest ones first. */
  #oldest(sender: Sender, lanes: readonly SendLane[]): AcceptedMessage[] {
    const { numberId, room, dailyRemaining, backlog } = sender;
    if (backlog === 0) return [];
    const limit = Math.min(room > 0 ? room : overflowMax, batchMax);
    let left = Math.min(limit, dailyRemaining ?? limit);
    const kinds = kindsThatMayLeave(sender);
    const chosen: AcceptedMessage[] = [];
    for (const lane of lanes) {
      const free = limit - chosen.length;
      if (free <= 0) break;
      if (lane !== 'server' && this.#parts.backlog.isEmpty(numberId, lane)) continue;
      const first = (kind: MessageKind, count: number) =>
        count > 0 && kinds.includes(kind) ? this.#parts.backlog.first(numberId, kind, lane, count) : [];
      const most = Math.min(free, left);
      const counted = [...first('ongoing', most), ...first('new', most)].sort(byAge).slice(0, most);
      const answers = first('answer', free);
      const next = [...answers, ...counted].sort(byAge).slice(0, free);
      left -= next.filter((message) => !answers.includes(message)).length;
      chosen.push(...next);
    }
    return chosen;
  }

  async #offer(numberId: string, batch: MessageBatch): Promise<void> {
    const call = { batchNumber: batch.batchNumber, at: Date.now() };
    this.#underWay.set(numberId, call);
    let taken: BatchTaken | null = null;
    try {
      taken = await this.#parts.give(numberId, batch);
      if (taken.takenUpTo < batch.batchNumber) throw new Error('the number did not take the batch');
      this.#noteAnswer(numberId);
    } catch (error) {
      if (this.#underWay.get(numberId) === call) this.#noteFailure(numberId, error, Date.now());
    } finally {
      if (this.#underWay.get(numberId) === call) this.#underWay.delete(numberId);
    }
    const answer = taken;
    this.#parts.change(() => this.#settle(numberId, batch, answer));
  }

  #settle(numberId: string, { batchNumber }: MessageBatch, taken: BatchTaken | null): void {
    const sender = this.#parts.senders.of(numberId);
    // An answer that comes late, after a report that knew more, tells nothing new.
    if (taken === null || sender.batchNumber !== batchNumber || taken.takenUpTo < batchNumber) return;
    if (taken.takenUpTo > sender.takenUpTo) Object.assign(sender, taken);
    this.noteTaken(sender, taken.takenUpTo);
    this.form(sender, Date.now());
    this.#parts.senders.save(sender);
  }

  #noteAnswer(numberId: string): void {
    if (!this.#failing.delete(numberId)) return;
    this.#parts.currentPool.noteFailing(numberId, false);
  }

  #noteFailure(numberId: string, error: unknown, now: number): void {
    logFault('batch.not_taken', error, { numberId });
    const before = this.#failing.get(numberId);
    const retryMs = before ? Math.min(2 * before.retryMs, retryMsMax) : firstRetryMs;
    this.#failing.set(numberId, { since: before?.since ?? now, retryAt: now + retryMs, retryMs });
    this.#parts.currentPool.noteFailing(numberId, true);
  }

  /** Batches of an earlier life, of which nobody knows whether they were taken, are offered once more. */
  #resume(): void {
    this.#isResumed = true;
    for (const { numberId, batch, batchNumber } of this.#parts.senders.all) {
      const isAsked = this.#underWay.get(numberId)?.batchNumber === batchNumber;
      if (batch === null || isAsked || this.#failing.has(numberId)) continue;
      const stored = this.#stored(numberId);
      if (stored !== null) this.#formed.set(numberId, stored);
    }
  }

  #stored(numberId: string): MessageBatch | null {
    const { batch, batchNumber } = this.#parts.senders.of(numberId);
    if (batch === null) return null;
    const messages = batch.flatMap((messageId) => this.#parts.backlog.find(numberId, messageId) ?? []);
    return { batchNumber, messages };
  }
}
