import type { Refusal } from '../../contract/errors.ts';
import type { KeyScope } from '../../contract/key-scopes.ts';
import type { MessageContent } from '../../contract/messages/content.ts';
import { type Fact, type OutboundRecord, sendFactOf } from '../event-log/facts.ts';
import type { Outlook } from '../phone-number/queue/turn.ts';
import type { AccountParts } from './account-parts.ts';
import type { ActionRequest, ActionResult } from './admission/actions.ts';
import { dryRun } from './admission/dry-run.ts';
import type { Usage } from './admission/quota-gate.ts';
import type { LimitState } from './admission/rate-limits.ts';
import type { SendAsRequest, SendAsResult } from './admission/send-as.ts';
import type {
  BatchRequest,
  BatchResult,
  DryRunResult,
  KeyCheck,
  SendRequest,
  SendResult,
} from './admission/send-request.ts';
import type { StorageRoom, StorageUsage, StoredFile } from './admission/stored-files.ts';
import type { CampaignOutlook, CampaignSend, CampaignSent } from './campaign-sends.ts';
import { onlyNumberOf, type PresentedKey, scopeRefusal } from './configuration/key-ring.ts';

import { AccountObject } from './verbs/account-object.ts';
import { numberVerbs } from './verbs/number-verbs.ts';
import { recipientVerbs } from './verbs/recipient-verbs.ts';

/**
 * Decides about the sends of one account, and keeps what it has accepted until a number has taken it. Owns, all in SQLite: the
 * backlog, the quota counters, the idempotency records, the rotation, who talks with which number, the opt-outs, and each
 * sender's state as last reported. Also has a snapshot of the configuration that D1 owns. Rate buckets are in memory: losing
 * them only gives a key one more burst.
 */
export class Account extends numberVerbs(recipientVerbs(AccountObject)) {
  // --- sending ------------------------------------------------------------------------------------------------------

  /** A result that is `ok` is the promise of the 202; see {@link Sending.send}. */
  send(request: SendRequest): Promise<SendResult> {
    return this.parts.sending.send(request);
  }

  /** A send of a person who is signed in, or of the gateway itself; see {@link Sending.sendAs}. */
  sendAs(request: SendAsRequest): Promise<SendAsResult> {
    return this.parts.sending.sendAs(request);
  }

  /** Takes back a message that has not left the account yet; see {@link Cancelling.cancel}. */
  cancelSend(messageId: string, numberId: string): { ok: true } | Refusal {
    return this.parts.cancelling.cancel(messageId, numberId, Date.now());
  }

  /** Messages of a campaign, each judged by itself; in their order. Safe to repeat. */
  sendForCampaign(sends: readonly CampaignSend[]): Promise<CampaignSent[]> {
    return this.parts.campaignSends.sendAll(sends);
  }

  /**
   * Takes back messages of a campaign that no bridge has got yet; the log knows which. `numberIds`: the number for which each
   * was accepted, in the same order. Safe to repeat.
   */
  withdraw(messageIds: readonly string[], numberIds: readonly (string | null)[] = []): Promise<void> {
    return this.parts.campaignSends.withdraw(messageIds, numberIds, Date.now());
  }

  /** What a campaign over these numbers (null: the pool) has to know before it sends. */
  campaignOutlook(numberIds: readonly string[] | null): Promise<CampaignOutlook> {
    return this.parts.campaignSends.outlook(numberIds, Date.now());
  }

  /** The words with which people opt out, as they are compared. */
  stopWords(): Promise<readonly string[]> {
    return this.parts.campaignSends.stopWords();
  }

  /** Several sends, each judged by itself, all in one transaction and answered in order. */
  sendBatch(batch: BatchRequest): Promise<BatchResult> {
    return this.parts.sending.sendBatch(batch);
  }

  /** What a send would come to, and everything that speaks against it. Counts nothing, sends nothing. */
  dryRun(request: SendRequest): Promise<DryRunResult> {
    const { outlook } = this.parts;
    const forecast = outlook.forecast.bind(outlook);
    return dryRun({ ...this.parts, forecast }, request);
  }

  /** Takes over what is to be done to a message that was sent or came in; see {@link Actions.accept}. */
  act(request: ActionRequest): Promise<ActionResult> {
    return this.parts.actions.accept(request);
  }

  /** A message that the log may not have been told of yet; null when it has. */
  accepted(messageId: string): OutboundRecord<MessageContent> | null {
    const { logOutbox } = this.parts;
    const isOf = (it: Fact) => sendFactOf(it)?.message?.message.messageId === messageId;
    // The last one says where it is now.
    const fact = logOutbox.findLast(messageId, isOf);
    return (fact && sendFactOf(fact)?.message?.message) ?? null;
  }

  /** Why a message of this number waits; null when neither the account nor the number has it. */
  waiting(messageId: string, numberId: string): Promise<Outlook | null> {
    return this.parts.outlook.waiting(messageId, numberId);
  }

  /** `GET /v1/usage`. */
  async usage(): Promise<Usage & { storage: StorageUsage }> {
    const { configuration, quota } = this.parts;
    const { plan } = await configuration.current();
    const now = Date.now();
    return {
      ...quota.usage(plan, now),
      storage: this.#stored((files) => files.usage(plan, now)),
    };
  }

  // --- stored files -------------------------------------------------------------------------------------------------

  /** How large a file may be that is about to be stored under this id. */
  async storageRoom(fileId: string): Promise<StorageRoom> {
    const { plan } = await this.parts.configuration.current();
    return this.#stored((files) => files.room(plan, fileId, Date.now()));
  }

  /** Counts a file whose bytes are stored, or refuses it; see {@link StoredFiles.keep}. To say it again changes nothing. */
  async keepFile(file: StoredFile, evenAboveLimit = false): Promise<Refusal | null> {
    const { plan } = await this.parts.configuration.current();
    return this.#stored((files) => files.keep(plan, file, evenAboveLimit, Date.now()));
  }

  /** Files that are deleted. To say it again changes nothing. */
  giveBackFiles(fileIds: readonly string[]): void {
    this.#stored((files) => files.giveBack(fileIds));
  }

  #stored<Result>(work: (files: AccountParts['storedFiles']) => Result): Result {
    return this.ctx.storage.transactionSync(() => work(this.parts.storedFiles));
  }

  // --- configuration ------------------------------------------------------------------------------------------------

  /** For requests with an API key that are no sends. */
  async checkKey(presented: PresentedKey, scope: KeyScope): Promise<KeyCheck> {
    const { configuration, keys, rateLimits } = this.parts;
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
    return this.parts.rateLimits.takeForPerson(userId, Date.now());
  }

  /** Whether a stream that was opened with this key may go on: no use of it, and nothing that counts. */
  async keyStands(presented: PresentedKey, scope: KeyScope, onlyNumberId: string | null): Promise<boolean> {
    const { configuration, keys } = this.parts;
    const key = keys.find(await configuration.current(), presented, Date.now());
    return !('ok' in key) && scopeRefusal(key, scope) === null && onlyNumberOf(key) === onlyNumberId;
  }

  /** When each key was last used; milliseconds since 1970, exact to the second. */
  keyUsage(): Record<string, number> {
    return this.parts.keys.usage();
  }

  /**
   * Takes over the configuration that D1 has now. When it returns, every later request is decided by what was in D1
   * when it was called, or newer.
   */
  async refresh(): Promise<void> {
    await this.parts.configuration.refresh();
    this.committed();
  }
}
