import { DurableObject } from 'cloudflare:workers';
import { timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { DeviceState } from '../../contract/device.ts';
import { type Refusal, refuse } from '../../contract/errors.ts';
import { EventRelay } from '../event-relay.ts';
import { log, logFault } from '../log.ts';
import { NamedTimers } from '../named-timers.ts';
import { newEventId, newMessageId } from '../new-ids.ts';
import { migrateObject } from '../object-migrations.ts';
import type { AdmittedMessage } from '../phone-number/outbound-message.ts';
import type { KeyCheck, SendAnswer, SendLogSender, SendRequest, SendResult } from './admission-types.ts';
import { Admissions } from './admissions.ts';
import { type FirstAnswer, Idempotency } from './idempotency.ts';
import { accountMigrations } from './migrations.ts';
import { periodOf, resetAt, tellsExceeded } from './quota.ts';
import { RateLimits } from './rate-limits.ts';
import { chooseSender } from './sender-choice.ts';
import { Senders } from './senders.ts';
import { type AccountSnapshot, type KeySnapshot, loadSnapshot } from './snapshot.ts';

const invalidKey = refuse(
  'INVALID_API_KEY',
  'The API key is missing, malformed, unknown or revoked.',
) as Refusal & {
  code: 'INVALID_API_KEY';
};
const noAccount: AccountSnapshot = { plan: 'free', keys: [], senders: [] };
const arrivedKept = 10_000;
/** Attempts to hand a message to its number before the outcome counts as unknown. */
const enqueueAttemptsMax = 3;

/**
 * The admission authority of one account. Owns the quota counters, the idempotency records, the order of rotation and
 * each sender's state as last reported, all in SQLite, and a snapshot of the configuration that D1 owns. Rate buckets
 * live in memory: losing them gives a key one more burst, nothing else.
 */
export class Account extends DurableObject<Env> {
  readonly #accountId: string;
  readonly #sql: SqlStorage;
  readonly #senders: Senders;
  readonly #admissions: Admissions;
  readonly #idempotency: Idempotency;
  readonly #relay: EventRelay;
  readonly #timers: NamedTimers;
  readonly #rateLimits: RateLimits;
  readonly #lastUsed = new Map<string, number>();
  /** Messages whose hand-over is under way in this life of the object, and those that have arrived in it. */
  readonly #underWay = new Set<string>();
  readonly #arrived = new LRUCache<string, true>({ max: arrivedKept });
  /** Hand-overs that a repeat has taken up again after a crash: further repeats wait for the same. */
  readonly #resumed = new Map<string, Promise<SendResult>>();
  #snapshot: AccountSnapshot | null = null;
  #refreshing: Promise<void> | null = null;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#accountId = ctx.id.name ?? '';
    migrateObject(ctx.storage, accountMigrations);
    this.#sql = ctx.storage.sql;
    this.#senders = new Senders(this.#sql);
    this.#admissions = new Admissions(this.#sql);
    this.#idempotency = new Idempotency(this.#sql);
    this.#rateLimits = new RateLimits(env);
    this.#relay = new EventRelay(this.#sql, env.EVENTS, () => ({
      accountId: this.#accountId,
      source: { kind: 'account', name: this.#accountId },
    }));
    const snapshot = this.#sql.exec<{ json: string }>('SELECT json FROM snapshot').toArray()[0];
    if (snapshot) this.#snapshot = JSON.parse(snapshot.json);
    for (const row of this.#sql.exec<{ key_id: string; last_used_at: number }>('SELECT * FROM key_usage')) {
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
    // The only wait before the message is counted: from here to the transaction no other send can come between.
    const configuration = await this.#configuration();
    const now = Date.now();
    const key = this.#findKey(configuration, request.keyHash, now);
    if (!key) return invalidKey;
    this.#noteKeyUse(key.id, now);
    const { refusal, limits } = this.#rateLimits.take(key.id, now);
    return { ...(refusal ?? (await this.#admit(request, configuration, key, now))), limits };
  }

  async #admit(
    request: SendRequest,
    configuration: AccountSnapshot,
    key: KeySnapshot,
    now: number,
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

    const exceeded = this.#checkQuota(now);
    if (exceeded) return exceeded;
    const choice = chooseSender(key, request.senderHint, this.#senders.candidates(configuration));
    if (!choice.ok) return choice;

    const answer: SendAnswer = {
      messageId: newMessageId(),
      status: 'queued',
      numberId: choice.numberId,
      to: request.to,
      chatType: request.chatType,
      messageType: request.content.type,
      queuedAt: new Date(now).toISOString(),
    };
    const sender: SendLogSender = { keyId: key.id, numberId: choice.numberId, source: choice.source };
    this.ctx.storage.transactionSync(() => {
      const { messageId, numberId } = answer;
      this.#admissions.add({
        messageId,
        numberId,
        period: periodOf(now),
        idempotencyKey: request.idempotencyKey,
        now,
      });
      this.#count(periodOf(now), 1);
      if (request.idempotencyKey !== null) {
        this.#idempotency.store(request.idempotencyKey, { bodyHash: request.bodyHash, answer, sender }, now);
      }
      this.#senders.noteChosen(numberId, now);
    });
    this.#timers.arm();
    return this.#handOver(request, answer, sender, false);
  }

  /** The first answer once more. Where a crash has left open whether the number has the message, it is asked. */
  async #repeat(request: SendRequest, { answer, sender }: FirstAnswer): Promise<SendResult> {
    const { messageId } = answer;
    if (this.#arrived.has(messageId)) return { ok: true, answer, replayed: true, sender };
    const running = this.#resumed.get(messageId);
    if (running) return running;
    if (this.#underWay.has(messageId)) {
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

  /** Gives the message to its number; safe to repeat, since the number knows the message by its id. */
  async #handOver(
    request: SendRequest,
    answer: SendAnswer,
    sender: SendLogSender,
    replayed: boolean,
  ): Promise<SendResult> {
    const queuedAt = Date.parse(answer.queuedAt);
    const message: AdmittedMessage = {
      messageId: answer.messageId,
      to: request.to,
      chatType: request.chatType,
      content: request.content,
      senderSource: sender.source,
      queuedAt,
      expiresAt: queuedAt + Number(this.env.MESSAGE_LIFETIME_SECONDS) * 1000,
    };
    this.#underWay.add(answer.messageId);
    try {
      const taken = await this.#enqueue(answer.numberId, message);
      if (taken.ok) {
        this.#arrived.set(answer.messageId, true);
        return { ok: true, answer, replayed, sender };
      }
      this.#giveUp(answer.messageId);
      return taken;
    } catch (error) {
      logFault('enqueue.failed', error, { messageId: answer.messageId, numberId: answer.numberId });
      return refuse(
        'INTERNAL',
        'The message could not be accepted. Repeat the request with the same Idempotency-Key.',
      );
    } finally {
      this.#underWay.delete(answer.messageId);
    }
  }

  /** A broken stub stays broken, so each attempt takes a new one. An overloaded object is not asked again. */
  async #enqueue(numberId: string, message: AdmittedMessage): Promise<{ ok: true } | Refusal> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.env.PHONE_NUMBER.getByName(numberId).enqueue(message);
      } catch (error) {
        const { retryable, overloaded } = error as { retryable?: boolean; overloaded?: boolean };
        if (!retryable || overloaded || attempt === enqueueAttemptsMax) throw error;
      }
    }
  }

  /** Compared in constant time, and one that has expired is none. */
  #findKey(snapshot: AccountSnapshot, keyHash: string, now: number): KeySnapshot | undefined {
    const presented = Buffer.from(keyHash);
    return snapshot.keys.find(({ hash, expiresAt }) => {
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
  usage(): { period: string; used: number; limit: number; resetAt: string } {
    const period = periodOf(Date.now());
    return { period, used: this.#quota(period).used, limit: this.#quotaLimit(), resetAt: resetAt(period) };
  }

  /** Messages that failed before they left for the network count no longer. Repeats change nothing. */
  giveBack(messages: readonly { messageId: string; queuedAt: number }[]): void {
    this.ctx.storage.transactionSync(() => {
      for (const { messageId, queuedAt } of messages) this.#uncount(messageId, periodOf(queuedAt));
    });
  }

  /** Takes a message off the count of its period, once however often it is told. */
  #uncount(messageId: string, period: string): void {
    const isNew = this.#sql
      .exec('INSERT OR IGNORE INTO given_back VALUES (?) RETURNING 1', messageId)
      .toArray();
    if (isNew.length > 0) this.#count(period, -1);
  }

  #checkQuota(now: number): Refusal | null {
    const period = periodOf(now);
    const { used, exceededAt } = this.#quota(period);
    const limit = this.#quotaLimit();
    if (used < limit) return null;
    const reset = resetAt(period);
    if (tellsExceeded(exceededAt, now)) {
      this.ctx.storage.transactionSync(() => {
        this.#sql.exec('UPDATE quota SET exceeded_at = ? WHERE period = ?', now, period);
        const data = { used, limit, resetAt: reset };
        const timestamp = new Date(now).toISOString();
        const envelope = { id: newEventId(), event: 'quota.exceeded' as const, timestamp, data };
        this.#relay.append([{ envelope, message: null, device: null }], now);
      });
      this.ctx.waitUntil(this.#relay.flush(this.#relayFault));
      this.#timers.arm();
    }
    return refuse('QUOTA_EXCEEDED', `The quota of ${limit} messages a month is used up.`, {
      details: [{ used, limit, resetAt: reset }],
    });
  }

  #quota(period: string): { used: number; exceededAt: number | null } {
    const row = this.#sql
      .exec<{ used: number; exceeded_at: number | null }>('SELECT * FROM quota WHERE period = ?', period)
      .toArray()[0];
    return { used: row?.used ?? 0, exceededAt: row?.exceeded_at ?? null };
  }

  #quotaLimit(): number {
    return Number(this.env.FREE_PLAN_MESSAGES);
  }

  #count(period: string, by: 1 | -1): void {
    this.#sql.exec(
      'INSERT INTO quota (period, used) VALUES (?, ?) ON CONFLICT DO UPDATE SET used = max(0, used + excluded.used)',
      period,
      by,
    );
  }

  // --- what a crash has left open ------------------------------------------------------------------------------------

  /** Asks each number which of the older admissions it has; the others are undone. */
  async #checkAdmissions(now: number): Promise<void> {
    for (const [numberId, messageIds] of this.#admissions.toCheck(now)) {
      const asked = messageIds.filter((messageId) => !this.#underWay.has(messageId));
      const { accepted, told } = await this.env.PHONE_NUMBER.getByName(numberId).resolveAdmissions(asked);
      for (const messageId of asked) {
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
      this.#uncount(messageId, admission.period);
      if (admission.idempotencyKey !== null) {
        this.#idempotency.forget(admission.idempotencyDay, admission.idempotencyKey);
      }
      this.#admissions.forget(messageId);
    });
    log('send.given_up', { messageId });
  }

  /** The number of a message so new that the read model may not have it yet; null when the read model has it. */
  locate(messageId: string): string | null {
    return this.#admissions.find(messageId)?.numberId ?? null;
  }

  // --- configuration and senders -----------------------------------------------------------------------------------

  /** For requests with an API key that are no sends. */
  async checkKey(keyHash: string): Promise<KeyCheck> {
    const configuration = await this.#configuration();
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
  async refresh(): Promise<void> {
    // One that is already running may have read before the caller's change: wait for it, then read again.
    while (this.#refreshing) await this.#refreshing;
    this.#refreshing = this.#load().finally(() => {
      this.#refreshing = null;
    });
    await this.#refreshing;
  }

  async #load(): Promise<void> {
    const snapshot = await loadSnapshot(this.env.DB, this.#accountId);
    if (snapshot === null) {
      // Anybody can make up a key that names an account: an account that does not exist must leave no storage behind.
      this.#snapshot = noAccount;
      await this.ctx.storage.deleteAll();
      return;
    }
    migrateObject(this.ctx.storage, accountMigrations);
    this.#snapshot = snapshot;
    this.#sql.exec('INSERT OR REPLACE INTO snapshot (id, json) VALUES (1, ?)', JSON.stringify(snapshot));
  }

  async #configuration(): Promise<AccountSnapshot> {
    if (!this.#snapshot) await this.refresh();
    if (!this.#snapshot) throw new Error('the configuration was not loaded');
    return this.#snapshot;
  }

  /** A number tells how it is; an older report than the last one changes nothing. */
  reportSender(report: {
    numberId: string;
    state: DeviceState;
    phoneNumber: string | null;
    revision: number;
  }): void {
    this.#senders.report(report);
  }

  /** How a sender last reported itself; null for one that has not, or is not of this account. */
  senderState(numberId: string): DeviceState | null {
    return this.#senders.stateOf(numberId);
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
