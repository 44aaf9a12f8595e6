import { DurableObject } from 'cloudflare:workers';
import { type Refusal, refuse } from '../../contract/errors.ts';
import { EventRelay } from '../event-relay.ts';
import { log, logFault } from '../log.ts';
import { NamedTimers } from '../named-timers.ts';
import { newMessageId } from '../new-ids.ts';
import { migrateObject } from '../object-migrations.ts';
import type {
  DryRunResult,
  KeyCheck,
  SendAnswer,
  SendLogSender,
  SendRequest,
  SendResult,
} from './admission-types.ts';
import { Admissions } from './admissions.ts';
import { Choosing } from './choosing.ts';
import { ConfigurationSource } from './configuration-source.ts';
import { dryRunOf } from './dry-run.ts';
import { admittedMessage, HandOver, unknownOutcome } from './hand-over.ts';
import { Housekeeping } from './housekeeping.ts';
import { Idempotency } from './idempotency.ts';
import { LookUps } from './look-ups.ts';
import { accountMigrations } from './migrations.ts';
import { Moves } from './moves.ts';
import type { OptOut } from './opt-outs.ts';
import { periodOf, readPlans } from './quota.ts';
import { QuotaGate, type Usage } from './quota-gate.ts';
import { Rerouting } from './rerouting.ts';
import { SendCounts } from './send-counts.ts';
import type { InboundNote, RerouteRequest, SenderHealth, SenderReport } from './sender-report.ts';
import type { Configuration, KeySnapshot } from './snapshot.ts';
import { type Bucket, takeToken } from './token-bucket.ts';

const invalidKey = refuse(
  'INVALID_API_KEY',
  'The API key is missing, malformed, unknown or revoked.',
) as Refusal & {
  code: 'INVALID_API_KEY';
};

/**
 * The admission authority of one account. Owns the quota counters, the idempotency records, the rotation, who talks with
 * which number, the opt-outs, and each sender's state as last reported, all in SQLite, and a snapshot of the
 * configuration that D1 owns. Rate buckets live in memory: losing them gives a key one more burst, nothing else.
 */
export class Account extends DurableObject<Env> {
  readonly #accountId: string;
  readonly #sql: SqlStorage;
  readonly #configuration: ConfigurationSource;
  readonly #counts: SendCounts;
  readonly #quota: QuotaGate;
  readonly #choosing: Choosing;
  readonly #lookUps: LookUps;
  readonly #handOvers: HandOver;
  readonly #moves: Moves;
  readonly #rerouting: Rerouting;
  readonly #admissions: Admissions;
  readonly #idempotency: Idempotency;
  readonly #housekeeping: Housekeeping;
  readonly #relay: EventRelay;
  readonly #timers: NamedTimers;
  readonly #buckets = new Map<string, Bucket>();
  readonly #lastUsed = new Map<string, number>();

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#accountId = ctx.id.name ?? '';
    migrateObject(ctx.storage, accountMigrations);
    const sql = ctx.storage.sql;
    this.#sql = sql;
    this.#relay = new EventRelay(sql, env.EVENTS, () => ({
      accountId: this.#accountId,
      source: { kind: 'account', name: this.#accountId },
    }));
    this.#configuration = new ConfigurationSource(ctx.storage, env.DB, this.#accountId);
    this.#counts = new SendCounts(sql);
    const plans = readPlans(env.FREE_PLAN_MESSAGES, env.PLANS);
    this.#quota = new QuotaGate(sql, this.#counts, plans, this.#relay);
    this.#choosing = new Choosing(sql, this.#counts, Date.now());
    const { checks, conversations } = this.#choosing;
    this.#lookUps = new LookUps(checks, this.#counts, (numberId, phoneNumber) =>
      this.env.PHONE_NUMBER.getByName(numberId).checkRecipient(phoneNumber),
    );
    this.#handOvers = new HandOver((numberId) => this.env.PHONE_NUMBER.getByName(numberId));
    this.#moves = new Moves(sql);
    this.#admissions = new Admissions(sql);
    this.#idempotency = new Idempotency(sql);
    this.#rerouting = new Rerouting({
      storage: ctx.storage,
      moves: this.#moves,
      choosing: this.#choosing,
      counts: this.#counts,
      admissions: this.#admissions,
      enqueue: (numberId, message) => this.#handOvers.enqueue(numberId, message),
    });
    this.#housekeeping = new Housekeeping(sql, [conversations, checks, this.#counts]);
    for (const row of sql.exec<{ key_id: string; last_used_at: number }>('SELECT * FROM key_usage')) {
      this.#lastUsed.set(row.key_id, row.last_used_at);
    }
    this.#timers = new NamedTimers(ctx.storage, [
      {
        name: 'relay-resend',
        dueAt: () => this.#relay.resendAt(),
        run: () => this.#relay.resend(this.#relayFault),
      },
      {
        name: 'admissions',
        dueAt: () => this.#admissions.checkDueAt(),
        run: (now) => this.#checkAdmissions(now),
      },
      {
        name: 'idempotency',
        dueAt: () => this.#idempotency.sweepDueAt(),
        run: (now) => this.#idempotency.sweep(now),
      },
      {
        name: 'housekeeping',
        dueAt: () => this.#housekeeping.dueAt(),
        run: (now) => this.#housekeeping.sweep(now),
      },
    ]);
    ctx.blockConcurrencyWhile(() => this.#timers.wake());
  }

  // --- sending -----------------------------------------------------------------------------------------------------

  /**
   * Decides whether a message is accepted and through which number, counts it, and hands it to that number. A result
   * that is `ok` is the promise of the 202. Between the count and the promise nothing gets lost: what a crash leaves
   * open is resolved by a repeat under the same `Idempotency-Key`, or by the check of the admissions.
   */
  async send(request: SendRequest): Promise<SendResult> {
    const configuration = await this.#configuration.current();
    const key = this.#findKey(configuration, request.keyHash);
    if (!key) return invalidKey;
    const now = Date.now();
    const limited = this.#limit(key.id, now);
    if (limited) return limited;
    return this.#admit(request, configuration, key, now, true);
  }

  /** The only wait before the message is counted begins this anew: no other send can come between check and count. */
  async #admit(
    request: SendRequest,
    configuration: Configuration,
    key: KeySnapshot,
    now: number,
    mayLookUp: boolean,
  ): Promise<SendResult> {
    const first =
      request.idempotencyKey === null ? null : this.#idempotency.find(request.idempotencyKey, now);
    if (first) {
      if (first.bodyHash !== request.bodyHash) {
        return refuse('IDEMPOTENCY_CONFLICT', 'This Idempotency-Key was used with another request.', {
          details: [{ path: 'Idempotency-Key', message: 'Use a new key for a new request.' }],
        });
      }
      if (this.#handOvers.isUnderWay(first.answer.messageId)) {
        return refuse('CONFLICT', 'The first request with this Idempotency-Key is still running.', {
          retryAfterSeconds: 1,
        });
      }
      this.#noteKeyUse(key.id, now);
      return this.#handOver(request, first.answer, first.sender, true);
    }

    const exceeded = this.#quota.refusal(configuration.plan, now);
    if (exceeded) {
      this.#tellExceeded(configuration.plan, now);
      return exceeded;
    }
    const judgement = this.#choosing.judge(request, configuration, key, now);
    const { refusals, choice, lookUpBy } = judgement;
    if (refusals[0]) return refusals[0];
    const turn = this.#choosing.turn(judgement);
    if (choice === null || turn === null) throw new Error('neither a sender nor a reason why there is none');
    if (lookUpBy !== null && mayLookUp) {
      await this.#lookUps.lookUp(request.to, lookUpBy);
      const latest = await this.#configuration.current();
      const sameKey = this.#findKey(latest, request.keyHash);
      return sameKey ? this.#admit(request, latest, sameKey, Date.now(), false) : invalidKey;
    }

    const answer: SendAnswer = {
      messageId: newMessageId(),
      status: 'queued',
      numberId: choice.numberId,
      to: request.to,
      chatType: request.chatType,
      messageType: request.content.type,
      queuedAt: new Date(now).toISOString(),
    };
    const { messageId, numberId } = answer;
    const sender: SendLogSender = {
      keyId: key.id,
      numberId,
      source: choice.source,
      isNewChat: choice.isNewChat,
      mayMove: key.pinnedNumberId === null || key.onPinFailure === 'fallback',
    };
    this.ctx.storage.transactionSync(() => {
      const period = periodOf(now);
      this.#admissions.add({ messageId, numberId, period, idempotencyKey: request.idempotencyKey, now });
      this.#counts.add(numberId, now, turn);
      if (request.idempotencyKey !== null) {
        this.#idempotency.store(request.idempotencyKey, { bodyHash: request.bodyHash, answer, sender }, now);
      }
      this.#choosing.conversations.noteOutbound(request.to, numberId, now);
      this.#housekeeping.begin(now);
      this.#noteKeyUse(key.id, now);
    });
    this.#choosing.given(numberId, turn);
    this.#timers.arm();
    return this.#handOver(request, answer, sender, false);
  }

  /** What a send would come to, and everything that speaks against it. Counts nothing, sends nothing. */
  async dryRun(request: SendRequest): Promise<DryRunResult> {
    const configuration = await this.#configuration.current();
    const key = this.#findKey(configuration, request.keyHash);
    if (!key) return invalidKey;
    const now = Date.now();
    const limited = this.#limit(key.id, now);
    if (limited) return limited;
    this.#noteKeyUse(key.id, now);
    const exceeded = this.#quota.refusal(configuration.plan, now);
    const judgement = this.#choosing.judge(request, configuration, key, now);
    const { choice } = judgement;
    const forecast =
      choice &&
      (await this.env.PHONE_NUMBER.getByName(choice.numberId).forecast({
        recipient: request.to,
        isNewChat: choice.isNewChat,
      }));
    return { ok: true, keyId: key.id, dryRun: dryRunOf(judgement, exceeded, forecast, now) };
  }

  /** The message goes to its number, or, when that cannot be known to have happened, the promise is not made. */
  async #handOver(
    request: SendRequest,
    answer: SendAnswer,
    sender: SendLogSender,
    replayed: boolean,
  ): Promise<SendResult> {
    const { messageId, numberId } = answer;
    const result = { ok: true, answer, replayed, sender } as const;
    // Only what a number has can have moved on: the first one must not be given it again.
    if (replayed && this.#moves.last(messageId) !== null) return result;
    const lifetimeMs = Number(this.env.MESSAGE_LIFETIME_SECONDS) * 1000;
    const message = admittedMessage(request, answer, sender, lifetimeMs);
    const taken = await this.#handOvers.give(numberId, message);
    if (taken === null) return unknownOutcome;
    if (taken.ok) return result;
    this.#giveUp(messageId);
    return taken;
  }

  #findKey(snapshot: Configuration, keyHash: string): KeySnapshot | undefined {
    return snapshot.keys.find((key) => key.hash === keyHash);
  }

  #limit(keyId: string, now: number): Refusal | null {
    const rate = { perSecond: Number(this.env.KEY_RATE_PER_SECOND), burst: Number(this.env.KEY_RATE_BURST) };
    const taken = takeToken(this.#buckets.get(keyId), rate, now);
    this.#buckets.set(keyId, taken.bucket);
    if (taken.ok) return null;
    return refuse('RATE_LIMITED', `This API key may send ${rate.perSecond} requests a second.`, {
      retryAfterSeconds: taken.retryAfterSeconds,
    });
  }

  /** Kept to the second, as it is shown: more would be a row written per send. */
  #noteKeyUse(keyId: string, now: number): void {
    if (now - (this.#lastUsed.get(keyId) ?? 0) < 1000) return;
    this.#lastUsed.set(keyId, now);
    this.#sql.exec('INSERT OR REPLACE INTO key_usage (key_id, last_used_at) VALUES (?, ?)', keyId, now);
  }

  // --- quota -------------------------------------------------------------------------------------------------------

  /** `GET /v1/usage`. */
  async usage(): Promise<Usage> {
    const { plan } = await this.#configuration.current();
    return this.#quota.usage(plan, Date.now());
  }

  /** Messages of this number that failed before they left for the network count no longer. Repeats change nothing. */
  giveBack(
    messages: readonly { messageId: string; queuedAt: number }[],
    numberId: string | null = null,
  ): void {
    if (!this.#configuration.mayExist) return;
    this.ctx.storage.transactionSync(() => this.#quota.giveBack(messages, numberId));
  }

  #tellExceeded(plan: string, now: number): void {
    if (!this.ctx.storage.transactionSync(() => this.#quota.tellExceeded(plan, now))) return;
    this.ctx.waitUntil(this.#relay.flush(this.#relayFault));
    this.#timers.arm();
  }

  // --- what a crash has left open ------------------------------------------------------------------------------------

  /** Asks each number which of the older admissions it has; the others are undone. */
  async #checkAdmissions(now: number): Promise<void> {
    for (const [numberId, messageIds] of this.#admissions.toCheck(now)) {
      const asked = messageIds.filter((messageId) => !this.#handOvers.isUnderWay(messageId));
      const { accepted, told } = await this.env.PHONE_NUMBER.getByName(numberId).resolveAdmissions(asked);
      for (const messageId of asked) {
        // It may have moved on while its number was asked.
        if (this.#admissions.find(messageId)?.numberId !== numberId) continue;
        if (!accepted.includes(messageId)) this.#giveUp(messageId);
        else if (told) this.#admissions.forget(messageId);
      }
    }
    this.#admissions.noteChecked(now);
  }

  /** The message is certain not to be sent: neither the count nor the idempotency key may remember it. */
  #giveUp(messageId: string): void {
    this.ctx.storage.transactionSync(() => {
      const admission = this.#admissions.find(messageId);
      if (!admission) return;
      this.#counts.takeOff(admission.numberId, admission.countedAt);
      if (admission.idempotencyKey !== null) {
        this.#idempotency.forget(admission.idempotencyDay, admission.idempotencyKey);
      }
      this.#admissions.forget(messageId);
    });
    log('send.given_up', { messageId });
  }

  /** The number of a message that the read model may not know, or not know there; null when the read model is right. */
  locate(messageId: string): string | null {
    return this.#moves.holder(messageId) ?? this.#admissions.find(messageId)?.numberId ?? null;
  }

  // --- configuration -------------------------------------------------------------------------------------------------

  /** For reads with an API key. */
  async checkKey(keyHash: string): Promise<KeyCheck> {
    const key = this.#findKey(await this.#configuration.current(), keyHash);
    if (!key) return invalidKey;
    this.#noteKeyUse(key.id, Date.now());
    return { ok: true, keyId: key.id };
  }

  /** When each key was last used; milliseconds since 1970, exact to the second. */
  keyUsage(): Record<string, number> {
    return Object.fromEntries(this.#lastUsed);
  }

  /**
   * Takes over the configuration that D1 has now. When it returns, every later request is decided by what was in D1
   * when it was called, or newer.
   */
  refresh(): Promise<void> {
    return this.#configuration.refresh();
  }

  // --- what the numbers tell -----------------------------------------------------------------------------------------

  /** A number tells how it is; an older report than the last one changes nothing. */
  reportSender(report: SenderReport): void {
    if (this.#configuration.mayExist) this.#choosing.senders.report(report);
  }

  /** Each number's health as it last reported it. */
  senderHealth(): Record<string, SenderHealth> {
    return this.#choosing.senders.health();
  }

  /** People wrote to a number: they talk with it now, and may have opted out or in again. Repeats change nothing. */
  async noteInbound(note: InboundNote): Promise<void> {
    const configuration = await this.#configuration.current();
    if (!this.#configuration.mayExist) return;
    const now = Date.now();
    this.ctx.storage.transactionSync(() => {
      this.#choosing.hear(note, configuration.settings.optOut, now);
      this.#housekeeping.begin(now);
    });
    this.#timers.arm();
  }

  /** Finds other numbers for messages that a number cannot send; see {@link Rerouting.reroute}. */
  async reroute(request: RerouteRequest): Promise<{ moved: string[] }> {
    return this.#rerouting.reroute(request, await this.#configuration.current());
  }

  // --- opt-outs ------------------------------------------------------------------------------------------------------

  /** Those who do not want to be written to, newest first. */
  optOuts(limit: number, before: string | null): OptOut[] {
    return this.#choosing.optOuts.list(limit, before);
  }

  /** Takes somebody off the list; false when they are not on it. */
  removeOptOut(phoneNumber: string): boolean {
    return this.#choosing.optOuts.remove(phoneNumber, Date.now());
  }

  /** The consumer of the queue has stored these events. */
  confirmEvents(seqs: number[]): void {
    this.#relay.confirm(seqs);
  }

  override alarm(): Promise<void> {
    return this.#timers.ring(Date.now(), (name, error) => logFault(`timer.${name}`, error));
  }

  readonly #relayFault = (error: unknown): void => logFault('relay.send_failed', error);
}
