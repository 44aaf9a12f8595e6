import { refuse } from '../../contract/errors.ts';
import { log } from '../log.ts';
import { timeOf } from '../message-ids.ts';
import type { Taken } from '../phone-number/outbound-message.ts';
import { type AccountParts, reloadAccount } from './account-parts.ts';
import { Admission, type CountedSend, invalidKey, type UndecidedSend, type Verdict } from './admission.ts';
import type { DryRunResult, SendRequest, SendResult } from './admission-types.ts';
import { dryRunOf } from './dry-run.ts';
import { admittedMessage, unknownOutcome } from './hand-over.ts';
import type { FirstAnswer } from './idempotency.ts';
import { SendGroups } from './send-groups.ts';

type NumberStub = ReturnType<Env['PHONE_NUMBER']['getByName']>;

export interface SendingTies {
  numberOf: (numberId: string) => NumberStub;
  messageLifetimeMs: number;
  /** After each commit: the alarm goes to where it is needed. */
  arm: () => void;
  /** Events were stored: they are to go out. */
  flush: () => void;
}

/** What comes of a send in its group: all that is decided there, and of a counted one what its number answers. */
type Decided = Exclude<Verdict, { kind: 'counted' }> | { kind: 'handed over'; result: SendResult };

/** The way of a send through the account: decided, counted, handed over; and what a crash in between has left open. */
export class Sending {
  readonly #parts: AccountParts;
  readonly #ties: SendingTies;
  readonly #admission: Admission;
  readonly #groups = new SendGroups<UndecidedSend, Decided>((group) => this.#start(group));
  /** Hand-overs that a repeat has taken up again after a crash: further repeats wait for the same. */
  readonly #resumed = new Map<string, Promise<SendResult>>();

  constructor(parts: AccountParts, ties: SendingTies) {
    this.#parts = parts;
    this.#ties = ties;
    this.#admission = new Admission(parts);
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
    const result = refusal ?? (await this.#admit(request, true));
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
    const onNetwork = request.chatType === 'personal' ? choosing.checks.known(request.to, now) : null;
    const dryRun = dryRunOf(judgement, onNetwork, exceeded, forecast, now);
    return { ok: true, keyId: key.id, dryRun, limits };
  }

  async #admit(request: SendRequest, mayLookUp: boolean): Promise<SendResult> {
    const decided = await this.#groups.join({ request, mayLookUp });
    switch (decided.kind) {
      case 'refused':
        return decided.refusal;
      case 'repeated':
        return this.#repeat(request, decided.first);
      case 'unknown':
        // The only wait before the message is counted begins this anew.
        await this.#parts.lookUps.lookUp(request.to, decided.lookUpBy);
        return this.#admit(request, false);
      case 'handed over':
        return decided.result;
    }
  }

  /** Decides about the sends of a group, in order and in one transaction, and gives each number its own in one call. */
  #start(group: readonly UndecidedSend[]): Promise<Decided>[] {
    const { configuration, relay } = this.#parts;
    const now = Date.now();
    const verdicts = this.#commit(() => this.#admission.admit(group, configuration.loaded, now));
    const counted = verdicts.filter((verdict) => verdict.kind === 'counted');
    const handOvers = new Map(
      [...Map.groupBy(counted, ({ answer }) => answer.numberId)].map(
        ([numberId, sends]) => [numberId, this.#handOver(numberId, sends, false)] as const,
      ),
    );
    if (!relay.isEmpty) this.#ties.flush();
    // After the hand-overs have begun: what is under way needs no alarm.
    this.#ties.arm();
    return verdicts.map(async (verdict): Promise<Decided> => {
      if (verdict.kind !== 'counted') return verdict;
      const { messageId, numberId } = verdict.answer;
      const results = await handOvers.get(numberId);
      return { kind: 'handed over', result: results?.get(messageId) ?? unknownOutcome };
    });
  }

  /** The first answer once more. Where a crash has left open whether the number has the message, it is asked. */
  async #repeat(request: SendRequest, { answer, sender }: FirstAnswer): Promise<SendResult> {
    const { handOvers, moves } = this.#parts;
    const { messageId, numberId } = answer;
    const result = { ok: true, answer, replayed: true, sender } as const;
    if (handOvers.hasArrived(messageId)) return result;
    const running = this.#resumed.get(messageId);
    if (running) return running;
    if (handOvers.isUnderWay(messageId)) {
      return refuse('CONFLICT', 'The first request with this Idempotency-Key is still running.', {
        retryAfterSeconds: 1,
      });
    }
    // Only what a number has can have moved on: the first one must not be given it again.
    if (moves.last(messageId) !== null) return result;
    const resumed = this.#handOver(numberId, [{ request, answer, sender }], true)
      .then((results) => results.get(messageId) ?? unknownOutcome)
      .finally(() => this.#resumed.delete(messageId));
    this.#resumed.set(messageId, resumed);
    return resumed;
  }

  /** Messages go to their number; what comes of each, by its id. Where that cannot be known, the promise is not made. */
  async #handOver(
    numberId: string,
    sends: readonly CountedSend[],
    replayed: boolean,
  ): Promise<ReadonlyMap<string, SendResult>> {
    const { handOvers, pending } = this.#parts;
    const messages = sends.map((send) => admittedMessage(send, this.#ties.messageLifetimeMs));
    const own = new Set(messages.map(({ messageId }) => messageId));
    const earlier = pending.left(numberId).filter((messageId) => !own.has(messageId));
    const enqueued = await handOvers.give(numberId, messages, earlier);
    if (enqueued === null) {
      this.#ties.arm();
      return new Map();
    }
    const results = sends.map(({ answer, sender }, index) => {
      const taken = enqueued.taken[index] ?? unknownOutcome;
      this.#settle(numberId, answer.messageId, taken);
      const result: SendResult = taken.ok ? { ok: true, answer, replayed, sender } : taken;
      return [answer.messageId, result] as const;
    });
    this.#resolve(numberId, earlier, enqueued.missing);
    return new Map(results);
  }

  /** The number has taken the message, or will not. */
  #settle(numberId: string, messageId: string, taken: Taken): void {
    const { choosing, pending } = this.#parts;
    choosing.senders.answered(numberId, messageId, taken);
    if (taken.ok) pending.forget(numberId, messageId);
    else this.#giveUp(messageId);
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

  #commit<Result>(change: () => Result): Result {
    try {
      return this.#parts.storage.transactionSync(change);
    } catch (error) {
      reloadAccount(this.#parts);
      throw error;
    }
  }
}
