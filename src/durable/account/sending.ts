import { type Refusal, refuse } from '../../contract/errors.ts';
import { log } from '../log.ts';
import { messageIdFor, timeOf } from '../message-ids.ts';
import { type AccountParts, reloadAccount } from './account-parts.ts';
import type { DryRunResult, SendAnswer, SendLogSender, SendRequest, SendResult } from './admission-types.ts';
import type { Judgement } from './choosing.ts';
import { dryRunOf } from './dry-run.ts';
import { admittedMessage, unknownOutcome } from './hand-over.ts';
import type { FirstAnswer } from './idempotency.ts';
import type { Turn } from './rotation.ts';
import type { Configuration, KeySnapshot } from './snapshot.ts';

export const invalidKey = refuse(
  'INVALID_API_KEY',
  'The API key is missing, malformed, unknown or revoked.',
) as Refusal & {
  code: 'INVALID_API_KEY';
};

type Choice = NonNullable<Judgement['choice']>;
type NumberStub = ReturnType<Env['PHONE_NUMBER']['getByName']>;

export interface SendingTies {
  numberOf: (numberId: string) => NumberStub;
  messageLifetimeMs: number;
  /** After each commit: the alarm goes to where it is needed. */
  arm: () => void;
  /** Events were stored: they are to go out. */
  flush: () => void;
}

/** The way of a send through the account: decided, counted, handed over; and what a crash in between has left open. */
export class Sending {
  readonly #parts: AccountParts;
  readonly #ties: SendingTies;
  /** Hand-overs that a repeat has taken up again after a crash: further repeats wait for the same. */
  readonly #resumed = new Map<string, Promise<SendResult>>();

  constructor(parts: AccountParts, ties: SendingTies) {
    this.#parts = parts;
    this.#ties = ties;
  }

  /**
   * Decides whether a message is accepted and through which number, counts it, and hands it to that number. Between
   * the count and the promise nothing gets lost: what a crash leaves open is resolved by a repeat under the same
   * `Idempotency-Key`, or by {@link checkPending}.
   */
  async send(request: SendRequest): Promise<SendResult> {
    const { configuration, keys, rateLimits } = this.#parts;
    const current = await configuration.current();
    const now = Date.now();
    const key = keys.find(current, request.keyHash, now);
    if (!key) return invalidKey;
    const { refusal, limits } = rateLimits.take(key.id, now);
    const result = refusal ?? (await this.#admit(request, current, key, now, true));
    // A send that was counted has noted it in its number's book.
    keys.noteUse(key.id, now);
    return { ...result, limits };
  }

  /** What a send would come to, and everything that speaks against it. Counts nothing, sends nothing. */
  async dryRun(request: SendRequest): Promise<DryRunResult> {
    const { configuration, keys, rateLimits, quota, choosing } = this.#parts;
    const current = await configuration.current();
    const now = Date.now();
    const key = keys.find(current, request.keyHash, now);
    if (!key) return invalidKey;
    keys.noteUse(key.id, now);
    const { refusal, limits } = rateLimits.take(key.id, now);
    if (refusal) return { ...refusal, limits };
    const exceeded = quota.refusal(current.plan, now);
    const judgement = choosing.judge(request, current, key, now);
    const { choice } = judgement;
    const forecast =
      choice &&
      (await this.#ties.numberOf(choice.numberId).forecast({
        recipient: request.to,
        isNewChat: choice.isNewChat,
      }));
    return { ok: true, keyId: key.id, dryRun: dryRunOf(judgement, exceeded, forecast, now), limits };
  }

  /** The only wait before the message is counted begins this anew: no other send can come between check and count. */
  async #admit(
    request: SendRequest,
    configuration: Configuration,
    key: KeySnapshot,
    now: number,
    mayLookUp: boolean,
  ): Promise<SendResult> {
    const { idempotency, quota, choosing, lookUps, keys } = this.#parts;
    const first = request.idempotencyKey === null ? null : idempotency.find(request.idempotencyKey, now);
    if (first) {
      if (first.bodyHash === request.bodyHash) return this.#repeat(request, first);
      return refuse('IDEMPOTENCY_CONFLICT', 'This Idempotency-Key was used with another request.', {
        details: [{ path: 'Idempotency-Key', message: 'Use a new key for a new request.' }],
      });
    }
    const exceeded = quota.refusal(configuration.plan, now);
    if (exceeded) {
      this.#tellExceeded(configuration.plan, now);
      return exceeded;
    }
    const judgement = choosing.judge(request, configuration, key, now);
    const { refusals, choice, lookUpBy } = judgement;
    if (refusals[0]) return refusals[0];
    const turn = choosing.turn(judgement);
    if (choice === null || turn === null) throw new Error('neither a sender nor a reason why there is none');
    if (lookUpBy !== null && mayLookUp) {
      await lookUps.lookUp(request.to, lookUpBy);
      const latest = await this.#parts.configuration.current();
      const later = Date.now();
      const sameKey = keys.find(latest, request.keyHash, later);
      return sameKey ? this.#admit(request, latest, sameKey, later, false) : invalidKey;
    }
    const { answer, sender } = this.#count(request, key, choice, turn, configuration, now);
    // Before it is armed: what is under way needs no alarm.
    const outcome = this.#handOver(request, answer, sender, false);
    this.#ties.arm();
    return outcome;
  }

  /** The one transaction of a send: a row for the number, one for the `Idempotency-Key`, one for a new conversation. */
  #count(
    request: SendRequest,
    key: KeySnapshot,
    { numberId, source, isNewChat }: Choice,
    turn: Turn,
    { settings }: Configuration,
    now: number,
  ): { answer: SendAnswer; sender: SendLogSender } {
    const { pending, counts, choosing, keys, books, idempotency, housekeeping } = this.#parts;
    const { to, chatType, content, idempotencyKey, bodyHash } = request;
    const messageId = messageIdFor(numberId, now);
    const answer: SendAnswer = {
      messageId,
      status: 'queued',
      numberId,
      to,
      chatType,
      messageType: content.type,
      queuedAt: new Date(now).toISOString(),
    };
    const mayMove = key.pinnedNumberId === null || key.onPinFailure === 'fallback';
    const sender: SendLogSender = { keyId: key.id, numberId, source, isNewChat, mayMove };
    this.#commit(() => {
      counts.add(numberId, now, turn);
      pending.add(numberId, messageId, idempotencyKey);
      keys.noteSend(key.id, numberId, now);
      choosing.give(numberId, messageId, turn);
      books.save(numberId);
      if (idempotencyKey !== null) idempotency.store(idempotencyKey, { bodyHash, answer, sender }, now);
      choosing.conversations.noteOutbound(to, numberId, now, settings.stickyHours);
      housekeeping.begin(now);
    });
    return { answer, sender };
  }

  /** The first answer once more. Where a crash has left open whether the number has the message, it is asked. */
  async #repeat(request: SendRequest, { answer, sender }: FirstAnswer): Promise<SendResult> {
    const { handOvers } = this.#parts;
    const { messageId } = answer;
    if (handOvers.hasArrived(messageId)) return { ok: true, answer, replayed: true, sender };
    const running = this.#resumed.get(messageId);
    if (running) return running;
    if (handOvers.isUnderWay(messageId)) {
      return refuse('CONFLICT', 'The first request with this Idempotency-Key is still running.', {
        retryAfterSeconds: 1,
      });
    }
    const resumed = this.#handOver(request, answer, sender, true).finally(() =>
      this.#resumed.delete(messageId),
    );
    this.#resumed.set(messageId, resumed);
    return resumed;
  }

  /** The message goes to its number, or, when that cannot be known to have happened, the promise is not made. */
  async #handOver(
    request: SendRequest,
    answer: SendAnswer,
    sender: SendLogSender,
    replayed: boolean,
  ): Promise<SendResult> {
    const { handOvers, moves, choosing, pending } = this.#parts;
    const { messageId, numberId } = answer;
    const result = { ok: true, answer, replayed, sender } as const;
    // Only what a number has can have moved on: the first one must not be given it again.
    if (replayed && moves.last(messageId) !== null) return result;
    const message = admittedMessage(request, answer, sender, this.#ties.messageLifetimeMs);
    const earlier = pending.left(numberId).filter((id) => id !== messageId);
    const taken = await handOvers.give(numberId, message, earlier);
    if (taken === null) {
      this.#ties.arm();
      return unknownOutcome;
    }
    choosing.senders.answered(numberId, messageId, taken);
    if (!taken.ok) {
      this.#giveUp(messageId);
      return taken;
    }
    pending.forget(numberId, messageId);
    this.#resolve(numberId, earlier, taken.missing);
    return result;
  }

  #tellExceeded(plan: string, now: number): void {
    if (!this.#parts.storage.transactionSync(() => this.#parts.quota.tellExceeded(plan, now))) return;
    this.#ties.flush();
    this.#ties.arm();
  }

  // --- what a crash has left open ------------------------------------------------------------------------------------

  /** Asks each number which of the older sends it has; the others are undone. */
  async checkPending(now: number): Promise<void> {
    const { pending, books } = this.#parts;
    pending.noteChecked(now);
    for (const [numberId, asked] of pending.toCheck(now)) {
      const { missing } = await this.#ties.numberOf(numberId).resolveAdmissions(asked);
      this.#resolve(numberId, asked, missing);
      books.save(numberId);
    }
  }

  /** A number has said which of these messages it lacks, and will not take any more. */
  #resolve(numberId: string, asked: readonly string[], missing: readonly string[]): void {
    const { pending, choosing } = this.#parts;
    for (const messageId of asked) {
      // It may have moved on while its number was asked.
      if (pending.find(messageId)?.numberId !== numberId) continue;
      if (missing.includes(messageId)) {
        choosing.senders.missing(numberId, messageId);
        this.#giveUp(messageId);
      } else {
        choosing.senders.found(numberId, messageId);
        pending.forget(numberId, messageId);
      }
    }
  }

  /** The message is certain not to be sent: neither the count nor the idempotency key may remember it. */
  #giveUp(messageId: string): void {
    const { pending, counts, idempotency } = this.#parts;
    this.#commit(() => {
      const found = pending.find(messageId);
      if (!found) return;
      const at = timeOf(messageId);
      pending.forget(found.numberId, messageId);
      counts.takeOff(found.numberId, at);
      if (found.idempotencyKey !== null) idempotency.forget(found.idempotencyKey, at);
    });
    log('send.given_up', { messageId });
  }

  #commit(change: () => void): void {
    try {
      this.#parts.storage.transactionSync(change);
    } catch (error) {
      reloadAccount(this.#parts);
      throw error;
    }
  }
}
