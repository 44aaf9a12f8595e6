import type { Refusal } from '../../contract/errors.ts';
import type { KeyScope } from '../../contract/key-scopes.ts';
import type { MessageContent } from '../../contract/messages/content.ts';
import { aliasAddress } from '../../contract/messages/recipient.ts';
import type { Pacing } from '../../contract/sender-settings.ts';
import { BackedUpObject } from '../backup/backed-up-object.ts';
import { regionNear } from '../bridge-fleet/fleet-of.ts';
import type { Fact, OutboundRecord } from '../event-log/facts.ts';
import { sendFactOf } from '../event-log/intake/messages/send-facts.ts';
import type { KnownAlias } from '../hand-over/known-alias.ts';
import type { NewsTaken, NumberNews, SenderReport } from '../hand-over/number-news.ts';
import { logFault } from '../log.ts';
import { NamedTimers } from '../named-timers.ts';
import { registryNameOf } from '../phone-registry/registry-name.ts';
import { migrateObject } from '../storage/object-migrations.ts';
import { objectName } from '../storage/object-name.ts';
import { type AccountParts, assembleAccount } from './account-parts.ts';
import type { ActionRequest, ActionResult } from './admission/actions.ts';
import { dryRun } from './admission/dry-run.ts';
import type { Usage } from './admission/quota-gate.ts';
import type { LimitState } from './admission/rate-limits.ts';
import type {
  BatchRequest,
  BatchResult,
  DryRunResult,
  KeyCheck,
  SendRequest,
  SendResult,
} from './admission/send-request.ts';
import type { StorageRoom, StorageUsage, StoredFile } from './admission/stored-files.ts';
import type { CampaignOutlook, CampaignSend, CampaignSent } from './campaigns/campaign-sends.ts';
import { onlyNumberOf, type PresentedKey, scopeRefusal } from './configuration/key-ring.ts';
import { locationHint } from './configuration/location.ts';
import { accountMigrations } from './migrations.ts';
import type { FetchedFile, WantedFile } from './outbox/file-fetches.ts';
import type { Waiting } from './outbox/outlook.ts';
import type { SendAsRequest, SendAsResult } from './own-sends/send-as.ts';
import type { OptOut } from './recipients/opt-outs.ts';
import type { SenderLoad } from './senders/sender.ts';

/** So long after the log was last told it is looked whether it knows. */
const logAnswerMs = 30_000;

/**
 * The admission authority of one account, and the keeper of what it has accepted until a number has taken it. Owns the
 * backlog, the quota counters, the idempotency records, the rotation, who talks with which number, the opt-outs, and
 * each sender's state as last reported, all in SQLite, and a snapshot of the configuration that D1 owns. Rate buckets
 * live in memory: losing them gives a key one more burst, nothing else.
 */
export class Account extends BackedUpObject {
  readonly #accountId: string;
  readonly #parts: AccountParts;
  readonly #timers: NamedTimers;
  #logAskedAt = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    migrateObject(ctx.storage, accountMigrations);
    this.#accountId = objectName(ctx);
    const parts = assembleAccount(ctx, {
      accountId: this.#accountId,
      env: () => this.env,
      numberOf: (numberId) => this.env.PHONE_NUMBER.getByName(numberId),
      committed: () => this.#committed(),
    });
    this.#parts = parts;
    const { handOver, rerouting, expiry, schedule, fileFetches, idempotency, housekeeping } = parts;
    this.#timers = new NamedTimers(ctx.storage, [
      { name: 'expiry', dueAt: () => expiry.dueAt(), run: (now) => expiry.run(now) },
      { name: 'schedule', dueAt: () => schedule.dueAt(), run: (now) => schedule.run(now) },
      { name: 'files', dueAt: () => fileFetches.dueAt(), run: (now) => fileFetches.run(now) },
      { name: 'hand-over', dueAt: () => handOver.dueAt(), run: (now) => handOver.run(now) },
      { name: 'rerouting', dueAt: () => rerouting.dueAt(), run: (now) => rerouting.run(now) },
      { name: 'log', dueAt: () => this.#logDueAt(), run: (now) => this.#tellLog(now) },
      {
        name: 'idempotency',
        dueAt: () => idempotency.sweepDueAt(),
        wakesAt: () => null,
        run: (now) => idempotency.sweep(now),
      },
      {
        name: 'housekeeping',
        dueAt: () => housekeeping.dueAt(),
        wakesAt: () => housekeeping.wakesAt(),
        run: (now) => housekeeping.sweep(now),
      },
    ]);
    ctx.blockConcurrencyWhile(() => this.#timers.wake());
  }

  // --- sending -----------------------------------------------------------------------------------------------------

  /** A result that is `ok` is the promise of the 202; see {@link Sending.send}. */
  send(request: SendRequest): Promise<SendResult> {
    return this.#parts.sending.send(request);
  }

  /** A send of a person who is signed in, or of the gateway itself; see {@link Sending.sendAs}. */
  sendAs(request: SendAsRequest): Promise<SendAsResult> {
    return this.#parts.sending.sendAs(request);
  }

  /** Takes back a message that has not left the account yet; see {@link Cancelling.cancel}. */
  cancelSend(messageId: string, numberId: string): { ok: true } | Refusal {
    return this.#parts.cancelling.cancel(messageId, numberId, Date.now());
  }

  /** Messages of a campaign, each judged by itself; in their order. Safe to repeat. */
  sendForCampaign(sends: readonly CampaignSend[]): Promise<CampaignSent[]> {
    return this.#parts.campaignSends.sendAll(sends);
  }

  /**
   * Takes back messages of a campaign that no bridge has been given; the log tells which. `numberIds`: the number that each
   * was accepted for, in their order. Safe to repeat.
   */
  withdraw(messageIds: readonly string[], numberIds: readonly (string | null)[] = []): Promise<void> {
    return this.#parts.campaignSends.withdraw(messageIds, numberIds, Date.now());
  }

  /** What a campaign over these numbers (null: the pool) has to know before it sends. */
  campaignOutlook(numberIds: readonly string[] | null): Promise<CampaignOutlook> {
    return this.#parts.campaignSends.outlook(numberIds, Date.now());
  }

  /** The words with which people opt out, as they are compared. */
  stopWords(): Promise<readonly string[]> {
    return this.#parts.campaignSends.stopWords();
  }

  /** Several sends, each judged by itself, all in one transaction and answered in order. */
  sendBatch(batch: BatchRequest): Promise<BatchResult> {
    return this.#parts.sending.sendBatch(batch);
  }

  /** What a send would come to, and everything that speaks against it. Counts nothing, sends nothing. */
  dryRun(request: SendRequest): Promise<DryRunResult> {
    const { outlook } = this.#parts;
    const forecast = outlook.forecast.bind(outlook);
    return dryRun({ ...this.#parts, forecast }, request);
  }

  /** Takes over what is to be done to a message that was sent or came in; see {@link Actions.accept}. */
  act(request: ActionRequest): Promise<ActionResult> {
    return this.#parts.actions.accept(request);
  }

  /** A message that the log may not have been told of yet; null when it has. */
  accepted(messageId: string): OutboundRecord<MessageContent> | null {
    const { logOutbox } = this.#parts;
    const isOf = (it: Fact) => sendFactOf(it)?.message?.message.messageId === messageId;
    // The last one says where it is now.
    const fact = logOutbox.findLast(messageId, isOf);
    return (fact && sendFactOf(fact)?.message?.message) ?? null;
  }

  /** What is to be fetched for a message; null when it waits for no file. */
  fileWanted(messageId: string): WantedFile | null {
    return this.#parts.fileFetches.wanted(messageId);
  }

  /** The file of a message was fetched, or never will be: then the message fails. To say it again changes nothing. */
  fileFetched(messageId: string, fetched: FetchedFile): void {
    this.#parts.fileFetches.settle(messageId, fetched, Date.now());
  }

  /** Why a message of this number waits; null when neither the account nor the number has it. */
  waiting(messageId: string, numberId: string): Promise<Waiting | null> {
    return this.#parts.outlook.waiting(messageId, numberId);
  }

  /** `GET /v1/usage`. */
  async usage(): Promise<Usage & { storage: StorageUsage }> {
    const { configuration, quota } = this.#parts;
    const { plan } = await configuration.current();
    const now = Date.now();
    return {
      ...quota.usage(plan, now),
      storage: this.#stored((files) => files.usage(plan, now)),
    };
  }

  // --- stored files --------------------------------------------------------------------------------------------------

  /** How large a file may be that is about to be stored under this id. */
  async storageRoom(fileId: string): Promise<StorageRoom> {
    const { plan } = await this.#parts.configuration.current();
    return this.#stored((files) => files.room(plan, fileId, Date.now()));
  }

  /** Counts a file whose bytes are stored, or refuses it; see {@link StoredFiles.keep}. To say it again changes nothing. */
  async keepFile(file: StoredFile, evenAboveLimit = false): Promise<Refusal | null> {
    const { plan } = await this.#parts.configuration.current();
    return this.#stored((files) => files.keep(plan, file, evenAboveLimit, Date.now()));
  }

  /** Files that are deleted. To say it again changes nothing. */
  giveBackFiles(fileIds: readonly string[]): void {
    this.#stored((files) => files.giveBack(fileIds));
  }

  #stored<Result>(work: (files: AccountParts['storedFiles']) => Result): Result {
    return this.ctx.storage.transactionSync(() => work(this.#parts.storedFiles));
  }

  // --- configuration -------------------------------------------------------------------------------------------------

  /** For requests with an API key that are no sends. */
  async checkKey(presented: PresentedKey, scope: KeyScope): Promise<KeyCheck> {
    const { configuration, keys, rateLimits } = this.#parts;
    const current = await configuration.current();
    const now = Date.now();
    const key = keys.find(current, presented, now);
    if ('ok' in key) return key;
    keys.noteUse(key.id, now);
    const { refusal, limits } = rateLimits.consume(key.id, now);
    const found = { ok: true as const, keyId: key.id, keyName: key.name, onlyNumberId: onlyNumberOf(key) };
    return { ...(refusal ?? scopeRefusal(key, scope) ?? found), limits, keyId: key.id };
  }

  /** For requests of people who are signed in: whether they are within their rate. */
  takeForPerson(userId: string): { refusal: Refusal | null; limits: LimitState[] } {
    return this.#parts.rateLimits.takeForPerson(userId, Date.now());
  }

  /** Whether a stream that was opened with this key may go on: no use of it, and nothing that counts. */
  async keyStands(presented: PresentedKey, scope: KeyScope, onlyNumberId: string | null): Promise<boolean> {
    const { configuration, keys } = this.#parts;
    const key = keys.find(await configuration.current(), presented, Date.now());
    return !('ok' in key) && scopeRefusal(key, scope) === null && onlyNumberOf(key) === onlyNumberId;
  }

  /** When each key was last used; milliseconds since 1970, exact to the second. */
  keyUsage(): Record<string, number> {
    return this.#parts.keys.usage();
  }

  /**
   * Takes over the configuration that D1 has now. When it returns, every later request is decided by what was in D1
   * when it was called, or newer.
   */
  async refresh(): Promise<void> {
    await this.#parts.configuration.refresh();
    this.#committed();
  }

  // --- numbers -------------------------------------------------------------------------------------------------------

  /**
   * Makes the object of a number that is new in the account. From here, so that it is made near the account; `near`:
   * where the account's people are, as far as the Worker knows. Repeating it changes nothing.
   */
  async provisionNumber(
    numberId: string,
    pacing: Pacing,
    near: DurableObjectLocationHint | null = null,
  ): Promise<void> {
    const hint = locationHint(this.#parts.sql, near);
    const number = this.env.PHONE_NUMBER.getByName(numberId, hint === null ? {} : { locationHint: hint });
    const region = regionNear(this.env, hint);
    await number.provision({ accountId: this.#accountId, numberId, region });
    await number.configure(pacing);
  }

  /** Takes a place for a pairing; false when `most` others of the account are under way. Null: as many as they like. */
  beginPairing(numberId: string, most: number | null): boolean {
    const now = Date.now();
    return this.#parts.pendingPairings.begin(numberId, this.#parts.senders.reports(now), most, now);
  }

  /** The pairing that {@link beginPairing} had a place for did not begin. */
  endPairing(numberId: string): void {
    this.#parts.pendingPairings.giveBack(numberId);
  }

  /**
   * A phone has linked this number: false when it is linked to another number of the account already. An account of the
   * same deployment that has had it is told.
   */
  async claimPhone(numberId: string, phoneNumber: string): Promise<boolean> {
    const { configuration, senders, phoneClaims } = this.#parts;
    const { senders: configured } = await configuration.current();
    const now = Date.now();
    const linked = senders.linkedTo(phoneNumber);
    const other = linked !== null && linked !== numberId && configured.has(linked);
    if (other || !phoneClaims.claim(phoneNumber, numberId, now)) return false;
    const registry = this.env.PHONE_REGISTRY.getByName(registryNameOf(phoneNumber));
    const holder = { accountId: this.#accountId, numberId };
    this.ctx.waitUntil(
      registry
        .claim(holder, phoneNumber)
        .catch((error) => logFault('phone.not_registered', error, { numberId })),
    );
    return true;
  }

  /** A number tells how it is, what it gives back and who wrote to it. Repeats change nothing. */
  async hear(news: NumberNews): Promise<NewsTaken> {
    const { configuration, housekeeping } = this.#parts;
    const current = await configuration.current();
    const now = Date.now();
    if (configuration.mayExist) {
      housekeeping.begin(now);
      return this.#parts.news.hear(news, current, now);
    }
    // Of an account that never was, nothing is kept.
    const takenUpTo = news.notes.at(-1)?.seq ?? 0;
    return { takenUpTo, rerouteAfterMs: current.settings.rerouteAfterMs };
  }

  /** Whose aliases are whose: what was written under one counts for the phone number, and so does what will be. Repeats change nothing. */
  async knowAliases(known: readonly KnownAlias[]): Promise<void> {
    const { configuration, housekeeping, news } = this.#parts;
    await configuration.current();
    // Of an account that never was, nothing is kept.
    if (!configuration.mayExist) return;
    const now = Date.now();
    housekeeping.begin(now);
    news.knowAliases(known, now);
  }

  /** Each number as the account knows it now. */
  senders(): Record<string, SenderReport> {
    return this.#parts.senders.reports(Date.now());
  }

  /** What each number has to send, and may still send today. */
  senderLoads(): Record<string, SenderLoad> {
    return this.#parts.senders.loads();
  }

  // --- opt-outs ------------------------------------------------------------------------------------------------------

  /** Those who do not want to be written to, newest first. */
  optOuts(limit: number, before: string | null): OptOut[] {
    return this.#parts.choosing.optOuts.list(limit, before);
  }

  /** What the account has of each of these recipients, in their order. Milliseconds since 1970. */
  recipients(phoneNumbers: readonly string[]): { optedOutAt: number | null; lastInboundAt: number | null }[] {
    const { choosing } = this.#parts;
    return phoneNumbers.map((phoneNumber) => {
      const addresses = choosing.addressesOf(phoneNumber);
      const talks = addresses.flatMap((address) => [...choosing.conversations.of(address).values()]);
      const wroteAt = talks.map((one) => one.wroteAt ?? 0);
      return {
        optedOutAt:
          addresses.map((address) => choosing.optOuts.since(address)).find((at) => at !== null) ?? null,
        lastInboundAt: Math.max(0, ...wroteAt) || null,
      };
    });
  }

  /** What the network has said about people: by which digits it knows them, where those are others. */
  noteChecked(
    people: readonly { phoneNumber: string; onNetwork: boolean; address?: string | undefined }[],
  ): void {
    const now = Date.now();
    this.ctx.storage.transactionSync(() => {
      for (const { phoneNumber, onNetwork, address } of people) {
        this.#parts.choosing.checks.note(phoneNumber, onNetwork, now, address);
      }
    });
  }

  /** They were erased: nothing is remembered of them but that they have opted out, where they have. */
  forgetRecipient(phoneNumber: string): void {
    const { aliases, choosing } = this.#parts;
    const { conversations, checks, optOuts } = choosing;
    this.ctx.storage.transactionSync(() => {
      // Nobody knows any more whose aliases these were: whoever opted out has done so under each.
      for (const lid of aliases.forgetAllOf(phoneNumber)) {
        conversations.forget(aliasAddress(lid));
        optOuts.copy(phoneNumber, aliasAddress(lid));
      }
      conversations.forget(phoneNumber);
      checks.forget(phoneNumber);
    });
  }

  /** Puts somebody on the list, who may be on it: a phone number, or an alias as `<digits>@lid`. */
  addOptOut(phoneNumber: string): { isNew: boolean; optOut: OptOut } {
    return this.#parts.choosing.optOuts.add(phoneNumber, Date.now());
  }

  /** Takes somebody off the list under all their addresses; false when they are on it under none. */
  removeOptOut(addresses: string | readonly string[]): boolean {
    const { optOuts } = this.#parts.choosing;
    const now = Date.now();
    return this.ctx.storage.transactionSync(() =>
      [addresses]
        .flat()
        .map((address) => optOuts.remove(address, now))
        .includes(true),
    );
  }

  override alarm(): Promise<void> {
    return this.#timers.ring(Date.now(), (name, error) => logFault(`timer.${name}`, error));
  }

  // --- after each commit ---------------------------------------------------------------------------------------------

  #committed(): void {
    const { handOver, logOutbox, rerouting } = this.#parts;
    const now = Date.now();
    handOver.start();
    const tellAt = logOutbox.dueAt();
    if (tellAt !== null && tellAt <= now) this.ctx.waitUntil(this.#tellLog(now));
    const moveAt = rerouting.dueAt();
    if (moveAt !== null && moveAt <= now) this.ctx.waitUntil(this.#reroute(now));
    this.#timers.arm();
  }

  async #tellLog(now: number): Promise<void> {
    this.#logAskedAt = now;
    await this.#parts.logOutbox.flush();
    this.#timers.arm();
  }

  /** Also while the log is being told: a crash may cut that off. */
  #logDueAt(): number | null {
    const { logOutbox } = this.#parts;
    return logOutbox.isEmpty ? null : (logOutbox.dueAt() ?? this.#logAskedAt + logAnswerMs);
  }

  /** What is left of it waits for the alarm. */
  async #reroute(now: number): Promise<void> {
    try {
      await this.#parts.rerouting.run(now);
    } catch (error) {
      logFault('rerouting.failed', error);
    }
    this.#timers.arm();
  }
}
