import { DurableObject } from 'cloudflare:workers';
import { timingSafeEqual } from 'node:crypto';
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
import { type FirstAnswer, Idempotency } from './idempotency.ts';
import { LookUps } from './look-ups.ts';
import { accountMigrations } from './migrations.ts';
import { Moves } from './moves.ts';
import type { OptOut } from './opt-outs.ts';
import { periodOf, readPlans } from './quota.ts';
import { QuotaGate, type Usage } from './quota-gate.ts';
import { RateLimits } from './rate-limits.ts';
import { Rerouting } from './rerouting.ts';
import { SendCounts } from './send-counts.ts';
import type { InboundNote, RerouteRequest, SenderHealth, SenderReport } from './sender-report.ts';
import type { Configuration, KeySnapshot } from './snapshot.ts';

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
  readonly #rateLimits: RateLimits;
  readonly #lastUsed = new Map<string, number>();
  /** Hand-overs that a repeat has taken up again after a crash: further repeats wait for the same. */
  readonly #resumed = new Map<string, Promise<SendResult>>();

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
    this.#rateLimits = new RateLimits(env);
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
    const now = Date.now();
    const key = this.#findKey(configuration, request.keyHash, now);
    if (!key) return invalidKey;
    this.#noteKeyUse(key.id, now);
    const { refusal, limits } = this.#rateLimits.take(key.id, now);
    return { ...(refusal ?? (await this.#admit(request, configuration, key, now, true))), limits };
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
      return this.#repeat(request, first);
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
      const later = Date.now();
      const sameKey = this.#findKey(latest, request.keyHash, later);
      return sameKey ? this.#admit(request, latest, sameKey, later, false) : invalidKey;
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
    });
    this.#choosing.given(numberId, turn);
    this.#timers.arm();
    return this.#handOver(request, answer, sender, false);
  }

  /** What a send would come to, and everything that speaks against it. Counts nothing, sends nothing. */
  async dryRun(request: SendRequest): Promise<DryRunResult> {
    const configuration = await this.#configuration.current();
    const now = Date.now();
    const key = this.#findKey(configuration, request.keyHash, now);
    if (!key) return invalidKey;
    this.#noteKeyUse(key.id, now);
    const { refusal, limits } = this.#rateLimits.take(key.id, now);
    if (refusal) return { ...refusal, limits };
    const exceeded = this.#quota.refusal(configuration.plan, now);
    const judgement = this.#choosing.judge(request, configuration, key, now);
    const { choice } = judgement;
    const forecast =
      choice &&
      (await this.env.PHONE_NUMBER.getByName(choice.numberId).forecast({
        recipient: request.to,
        isNewChat: choice.isNewChat,
      }));
    return { ok: true, keyId: key.id, dryRun: dryRunOf(judgement, exceeded, forecast, now), limits };
  }

  /** The first answer once more. Where a crash has left open whether the number has the message, it is asked. */
  async #repeat(request: SendRequest, { answer, sender }: FirstAnswer): Promise<SendResult> {
    const { messageId } = answer;
    if (this.#handOvers.hasArrived(messageId)) return { ok: true, answer, replayed: true, sender };
    const running = this.#resumed.get(messageId);
    if (running) return running;
    if (this.#handOvers.isUnderWay(messageId)) {
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

  /** Compared in constant time, and one that has expired is none. */
  #findKey(configuration: Configuration, keyHash: string, now: number): KeySnapshot | undefined {
    const presented = Buffer.from(keyHash);
    return configuration.keys.find(({ hash, expiresAt }) => {
      const stored = Buffer.from(hash);
      if (stored.byteLength !== presented.byteLength || !timingSafeEqual(stored, presented)) return false;
      return expiresAt == null || now < expiresAt;
    });
  }

  /** Kept to the second, as it is shown: more would be a row written per send. */
  #noteKeyUse(keyId: string, now: number): void {
    if (Math.floor(now / 1000) <= Math.floor((this.#lastUsed.get(keyId) ?? 0) / 1000)) return;
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

  /** For requests with an API key that are no sends. */
  async checkKey(keyHash: string): Promise<KeyCheck> {
    const configuration = await this.#configuration.current();
    const now = Date.now();
    const key = this.#findKey(configuration, keyHash, now);
    if (!key) return invalidKey;
    this.#noteKeyUse(key.id, now);
    const { refusal, limits } = this.#rateLimits.take(key.id, now);
    return { ...(refusal ?? { ok: true, keyId: key.id }), limits };
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
