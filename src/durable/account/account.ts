import { DurableObject } from 'cloudflare:workers';
import { logFault } from '../log.ts';
import { mayBeFirstGivenTo } from '../message-ids.ts';
import { NamedTimers } from '../named-timers.ts';
import { migrateObject } from '../object-migrations.ts';
import { type AccountParts, assembleAccount } from './account-parts.ts';
import { invalidKey } from './admission.ts';
import type { DryRunResult, KeyCheck, SendRequest, SendResult } from './admission-types.ts';
import { accountMigrations } from './migrations.ts';
import type { OptOut } from './opt-outs.ts';
import type { Usage } from './quota-gate.ts';
import type { InboundNote, ReportAnswer, RerouteRequest, SenderReport } from './sender-report.ts';
import type { ReportedSender } from './senders.ts';
import { Sending } from './sending.ts';

/**
 * The admission authority of one account. Owns the quota counters, the idempotency records, the rotation, who talks with
 * which number, the opt-outs, and each sender's state as last reported, all in SQLite, and a snapshot of the
 * configuration that D1 owns. Rate buckets live in memory: losing them gives a key one more burst, nothing else.
 */
export class Account extends DurableObject<Env> {
  readonly #parts: AccountParts;
  readonly #sending: Sending;
  readonly #timers: NamedTimers;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    migrateObject(ctx.storage, accountMigrations);
    const numberOf = (numberId: string) => this.env.PHONE_NUMBER.getByName(numberId);
    const parts = assembleAccount(ctx, env, ctx.id.name ?? '', numberOf);
    this.#parts = parts;
    this.#sending = new Sending(parts, {
      numberOf,
      messageLifetimeMs: Number(env.MESSAGE_LIFETIME_SECONDS) * 1000,
      arm: () => this.#timers.arm(),
      flush: () => ctx.waitUntil(parts.relay.flush(relayFault)),
    });
    const { relay, pending, idempotency, housekeeping } = parts;
    this.#timers = new NamedTimers(ctx.storage, [
      { name: 'relay-resend', dueAt: () => relay.resendAt(), run: () => relay.resend(relayFault) },
      {
        name: 'pending',
        dueAt: () => pending.checkDueAt(housekeeping.dueAt()),
        run: (now) => this.#sending.checkPending(now),
      },
      {
        name: 'idempotency',
        dueAt: () => idempotency.sweepDueAt(),
        run: (now) => idempotency.sweep(now),
      },
      { name: 'housekeeping', dueAt: () => housekeeping.dueAt(), run: (now) => housekeeping.sweep(now) },
    ]);
    ctx.blockConcurrencyWhile(() => this.#timers.wake());
  }

  // --- sending -----------------------------------------------------------------------------------------------------

  /** A result that is `ok` is the promise of the 202; see {@link Sending.send}. */
  send(request: SendRequest): Promise<SendResult> {
    return this.#sending.send(request);
  }

  /** What a send would come to, and everything that speaks against it. Counts nothing, sends nothing. */
  dryRun(request: SendRequest): Promise<DryRunResult> {
    return this.#sending.dryRun(request);
  }

  /** `GET /v1/usage`. */
  async usage(): Promise<Usage> {
    const { plan } = await this.#parts.configuration.current();
    return this.#parts.quota.usage(plan, Date.now());
  }

  /** Messages of this number that failed before they left for the network count no longer. Repeats change nothing. */
  giveBack(messages: readonly { messageId: string; queuedAt: number }[], numberId: string): void {
    if (!this.#parts.configuration.mayExist) return;
    this.ctx.storage.transactionSync(() => this.#parts.quota.giveBack(messages, numberId));
  }

  /** The number that has a message, where the read model may not know it, or not there; null when that must be right. */
  async locate(messageId: string): Promise<string | null> {
    const holder = this.#parts.moves.holder(messageId);
    if (holder !== null) return holder;
    const { senders } = await this.#parts.configuration.current();
    return senders.find(({ numberId }) => mayBeFirstGivenTo(messageId, numberId))?.numberId ?? null;
  }

  // --- configuration -------------------------------------------------------------------------------------------------

  /** For requests with an API key that are no sends. */
  async checkKey(keyHash: string): Promise<KeyCheck> {
    const { configuration, keys, rateLimits } = this.#parts;
    const current = await configuration.current();
    const now = Date.now();
    const key = keys.find(current, keyHash, now);
    if (!key) return invalidKey;
    keys.noteUse(key.id, now);
    const { refusal, limits } = rateLimits.take(key.id, now);
    return { ...(refusal ?? { ok: true, keyId: key.id }), limits };
  }

  /** When each key was last used; milliseconds since 1970, exact to the second. */
  keyUsage(): Record<string, number> {
    return this.#parts.keys.usage();
  }

  /**
   * Takes over the configuration that D1 has now. When it returns, every later request is decided by what was in D1
   * when it was called, or newer.
   */
  refresh(): Promise<void> {
    return this.#parts.configuration.refresh();
  }

  // --- what the numbers tell -----------------------------------------------------------------------------------------

  /** A number tells how it is; an older report than the last one changes nothing. */
  async reportSender(report: SenderReport): Promise<ReportAnswer> {
    const { settings } = await this.#parts.configuration.current();
    if (this.#parts.configuration.mayExist) this.#parts.choosing.senders.report(report);
    return { rerouteAfterMs: settings.rerouteAfterMs };
  }

  /** Each number as the account knows it now. */
  senders(): Record<string, ReportedSender> {
    return this.#parts.choosing.senders.all(Date.now());
  }

  /** People wrote to a number: they talk with it now, and may have opted out or in again. Repeats change nothing. */
  async noteInbound(note: InboundNote): Promise<void> {
    const { configuration, choosing, housekeeping } = this.#parts;
    const { settings } = await configuration.current();
    if (!configuration.mayExist) return;
    const now = Date.now();
    this.ctx.storage.transactionSync(() => {
      choosing.hear(note, settings.optOut, now);
      housekeeping.begin(now);
    });
    this.#timers.arm();
  }

  /** Finds other numbers for messages that a number cannot send; see {@link Rerouting.reroute}. */
  async reroute(request: RerouteRequest): Promise<{ moved: string[] }> {
    return this.#parts.rerouting.reroute(request, await this.#parts.configuration.current());
  }

  // --- opt-outs ------------------------------------------------------------------------------------------------------

  /** Those who do not want to be written to, newest first. */
  optOuts(limit: number, before: string | null): OptOut[] {
    return this.#parts.choosing.optOuts.list(limit, before);
  }

  /** Takes somebody off the list; false when they are not on it. */
  removeOptOut(phoneNumber: string): boolean {
    return this.#parts.choosing.optOuts.remove(phoneNumber, Date.now());
  }

  /** The consumer has stored these events. */
  confirmEvents(seqs: number[]): void {
    this.#parts.relay.confirm(seqs);
    this.ctx.waitUntil(this.#parts.relay.flush(relayFault));
  }

  override alarm(): Promise<void> {
    return this.#timers.ring(Date.now(), (name, error) => logFault(`timer.${name}`, error));
  }
}

const relayFault = (error: unknown): void => logFault('relay.send_failed', error);
