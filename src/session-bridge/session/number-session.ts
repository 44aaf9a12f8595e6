import type { BridgeConfig } from '../config.ts';
import { EdgeLink, type NumberCommand } from '../edge/edge-link.ts';
import type { Grants } from '../edge/grants.ts';
import { type LeaseClock, LeaseFence } from '../edge/lease-clock.ts';
import type { BridgeCounting } from '../health/counting.ts';
import type { JournalDatabase } from '../journal/database.ts';
import { FactLog } from '../journal/facts.ts';
import type { JournalLimit } from '../journal/journal-limit.ts';
import type { Lease } from '../journal/leases.ts';
import type { OutboundJournal } from '../journal/outbound.ts';
import type { SendInterval } from '../journal/send-interval.ts';
import { errorText, type Log } from '../logging.ts';
import { EdgeFiles } from '../media/edge-files.ts';
import { InboundFiles } from '../media/inbound-files.ts';
import type { MediaRoom } from '../media/media-room.ts';
import { OutboundFiles } from '../media/outbound-files.ts';
import type { WebVersionSource } from '../network/client/web-version.ts';
import type { NetworkConnection, RawReceipt } from '../network/connection/connection.ts';
import { openConnection } from '../network/connection/open-connection.ts';
import type { SentContent } from '../network/outbound/resend-contents.ts';
import type { AgingVault, SealingAnew } from '../vault/sealing-anew.ts';
import { Vault, type VaultCache } from '../vault/vault.ts';
import type { VaultKeys } from '../vault/vault-keys.ts';
import { before } from './deadline.ts';
import { DeafWatch } from './deaf-watch.ts';
import type { LoginTurns } from './machine/login-turns.ts';
import { SessionMachine } from './machine/session-machine.ts';
import { NewChats } from './new-chats.ts';
import { Outbox } from './outbox/outbox.ts';
import { Queries } from './queries.ts';
import { InboundIntake, ReceiptIntake } from './receipt-intake.ts';

/** What the sessions of one bridge share. */
export interface SharedParts {
  config: BridgeConfig;
  /** What the bridge proves itself with. */
  token: string;
  leaseClock: LeaseClock;
  grants: Grants;
  counting: BridgeCounting;
  db: JournalDatabase;
  outbound: OutboundJournal;
  vaultCache: VaultCache;
  vaultKeys: VaultKeys;
  sealingAnew: SealingAnew;
  interval: SendInterval;
  journalLimit: JournalLimit;
  media: MediaRoom;
  versions: WebVersionSource;
  logins: LoginTurns;
  log: Log;
}

interface NumberSessionOptions extends SharedParts {
  lease: Lease;
  /** The edge ended the lease, or the number is gone. */
  onOver: (why: 'stale epoch' | 'gone') => void;
}

/**
 * The session of one number under one lease. It does what the PhoneNumber object requests and reports what happens. It has no
 * state that exists only here: credentials are in the vault, facts in the journal.
 */
export class NumberSession {
  readonly lease: Lease;
  readonly #options: NumberSessionOptions;
  readonly #log: Log;
  readonly #facts: FactLog;
  readonly #vault: Vault;
  readonly #outbox: Outbox;
  readonly #receipts: ReceiptIntake;
  readonly #inbound: InboundIntake;
  readonly #newChats: NewChats;
  readonly #fence: LeaseFence;
  readonly #machine: SessionMachine;
  readonly #deafness: DeafWatch;
  readonly #queries: Queries;
  readonly #link: EdgeLink;
  readonly #outboundFiles: OutboundFiles;
  readonly #inboundFiles: InboundFiles;
  readonly #agingVault: AgingVault;
  /** Commands run one after another. */
  #commands: Promise<void> = Promise.resolve();
  /** It is being given up: no command brings it back. */
  #isEnding = false;
  /** It was given up: what is on disk stays as it is. */
  #isOver = false;

  constructor(options: NumberSessionOptions) {
    const { config, token, lease, db, outbound, vaultCache, vaultKeys } = options;
    const { bridgeId } = db;
    const { numberId, epoch } = lease;
    this.lease = lease;
    this.#options = options;
    this.#log = options.log.child({ numberId, epoch });
    this.#facts = new FactLog({
      db,
      numberId,
      epoch,
      interval: options.interval,
      repeatAfterMs: config.timings.factRepeatMs,
      holdNetworkMs: config.timings.holdNetworkMs,
      log: this.#log,
      onVaultStored: (row) => this.#vault.stored(row),
    });
    this.#vault = new Vault({
      numberId,
      keys: vaultKeys,
      cache: vaultCache,
      fetch: (keys) => this.#link.vaultEntries(keys),
      journal: (fact) => this.#facts.append(fact),
      beforeCommit: (action) => db.beforeCommit(action),
    });
    this.#agingVault = {
      numberId,
      outdated: (after) => this.#link.outdatedEntries(this.#vault.beginning, after),
      sealAnew: (entries) => this.#vault.sealAnew(entries),
      isInUse: () => !this.#isEnding && this.#machine.openConnection !== null,
    };
    this.#outbox = new Outbox({
      numberId,
      bridgeId,
      db,
      outbound,
      facts: this.#facts,
      timings: config.timings,
      onRepeated: () => options.counting.sendRepeated(),
      secondChance: (refused) => this.#newChats.secondChance(refused),
      bringFile: (content, files) => this.#outboundFiles.ticketFor(content, files),
      log: this.#log,
    });
    this.#receipts = new ReceiptIntake({
      facts: this.#facts,
      recipientOf: (id) => this.#outbox.recipientOf(id),
      aliasLookupMs: config.timings.aliasLookupMs,
    });
    this.#inbound = new InboundIntake({
      facts: this.#facts,
      aliasLookupMs: config.timings.aliasLookupMs,
      learn: (lid, phoneNumber) => this.#receipts.learn(lid, phoneNumber),
      // While it drains, what is still looked up is told: the edge is to have everything.
      isOver: () => this.#isOver,
      log: this.#log,
    });
    this.#newChats = new NewChats({
      connection: () => this.#machine.openConnection,
      facts: this.#facts,
      isEnding: () => this.#isEnding,
      log: this.#log,
    });
    this.#deafness = new DeafWatch({
      deafAfterMs: config.timings.deafAfterMs,
      quietAfterMs: config.timings.quietAfterMs,
      onDeaf: () => this.#inTurn('session.renew', () => this.#machine.renew()),
    });
    this.#fence = new LeaseFence(options.leaseClock);
    this.#machine = new SessionMachine({
      config,
      open: openConnection,
      fence: this.#fence,
      facts: this.#facts,
      vault: this.#vault,
      outbox: this.#outbox,
      versions: options.versions,
      logins: options.logins,
      counting: options.counting,
      beforeWriting: (write) => db.afterCommit(() => this.#facts.afterStored(write)),
      log: this.#log,
      messages: {
        onAck: (id, errorCode) => this.#takeAck(id, errorCode),
        onReceipt: (receipt, connection) => this.#takeReceipt(receipt, connection),
        roomForInbound: (signal) => options.journalLimit.room(signal),
        onInbound: (message, authorLater) => {
          this.#deafness.heard();
          this.#inbound.message(message, authorLater);
        },
        onChange: (change) => {
          this.#deafness.heard();
          this.#inbound.change(change);
        },
        onCall: (call) => this.#facts.append({ type: 'calls', items: [call] }),
        onTyping: (typing) => this.#link.tellTyping(typing),
        onNothing: (what) => {
          this.#deafness.heard();
          this.#inbound.nothing(what);
        },
        onContacts: (contacts) => this.#inbound.contacts(contacts),
        onGroupNotice: (notice) => {
          this.#deafness.heard();
          this.#facts.append({ type: 'group.notice', ...notice });
        },
        contentOf: (id) => this.#contentOf(id),
        uploaded: (content, files) => this.#outboundFiles.ticketFor(content, files),
      },
      onOpened: () => {
        this.#deafness.opened();
        this.#inboundFiles.connected(this.#machine.openConnection?.files ?? null);
        this.#newChats.opened();
        this.renewVault();
      },
      onClosed: () => {
        this.#inboundFiles.connected(null);
        this.#deafness.closed();
      },
    });
    const { grants } = options;
    const edge = new EdgeFiles({ ...config, token, grants }, lease);
    const { inbound: down, ...media } = options.media;
    this.#outboundFiles = new OutboundFiles({ numberId, edge, media });
    this.#inboundFiles = new InboundFiles({
      edge,
      transfers: down,
      log: this.#log,
      report: (mediaId, file) => {
        if (!this.#isOver) this.#facts.append({ type: 'media.fetched', mediaId, file });
      },
    });
    this.#queries = new Queries({
      connection: () => this.#machine.openConnection,
      facts: this.#facts,
      answer: (frame) => this.#link.answerQuery(frame),
      log: this.#log,
    });
    this.#link = new EdgeLink({
      config,
      bridgeId,
      token,
      lease,
      grants,
      facts: this.#facts,
      afterCommit: db.afterCommit,
      log: this.#log,
      onCommand: (command) => this.#obeyAtOnce(command),
      onOver: options.onOver,
    });
  }

  /**
   * Accepts no more sends, waits for those in flight, ends the session without logging out, and waits until the edge has every
   * fact. Returns whether it has, or `false` if `deadlineMs` (Unix time) came first.
   */
  async drain(deadlineMs: number): Promise<boolean> {
    this.#isEnding = true;
    await before(deadlineMs, this.#outbox.drain());
    await before(deadlineMs, this.#machine.end());
    return before(
      deadlineMs,
      this.#facts.drained().then(() => true),
      false,
    );
  }

  /** The lease is over: says which messages certainly never left, and never will, and ends everything at once. */
  async abandon(): Promise<void> {
    this.#fence.shut();
    this.#outbox.lost();
    await this.dispose();
  }

  /** Ends everything at once; what was journalled stays on disk. The device stays linked. */
  async dispose(): Promise<void> {
    this.#isEnding = true;
    this.#isOver = true;
    this.#deafness.closed();
    this.#outbox.dispose();
    await this.#machine.end();
    this.#link.close();
  }

  /** Sees to it that nothing in the vault is sealed under an earlier key, while the session is open. */
  renewVault(): void {
    if (this.#agingVault.isInUse()) this.#options.sealingAnew.ask(this.#agingVault);
  }

  /** Whether it is known that nothing is. */
  get isVaultRenewed(): boolean {
    return this.#options.sealingAnew.isDone(this.#agingVault);
  }

  #obeyAtOnce(command: NumberCommand): void {
    if (command.type === 'send') {
      // While ending, the outbox gives everything back at once.
      this.#outbox.accept(command.messages);
      return;
    }
    if (command.type === 'media.fetch') {
      this.#inboundFiles.want(command.message);
      return;
    }
    if (command.type === 'query') {
      void this.#queries.answer(command);
      return;
    }
    this.#inTurn(command.type, () => this.#obey(command));
  }

  #inTurn(command: string, run: () => Promise<void>): void {
    this.#commands = this.#commands
      .then(() => (this.#isEnding ? undefined : run()))
      .catch((error) => this.#log.error({ command, error: errorText(error) }, 'session.command_failed'));
  }

  async #obey(command: Exclude<NumberCommand, { type: 'send' | 'query' | 'media.fetch' }>): Promise<void> {
    switch (command.type) {
      case 'session.start':
        return this.#machine.start(command.settings, command.freshSessionsFor);
      case 'session.pair':
        return this.#machine.pair(command);
      case 'session.stop':
        return command.logout ? this.#machine.logOut() : this.#machine.stop();
    }
  }

  #takeAck(providerMessageId: string, errorCode: string | null): void {
    if (errorCode === null) this.#machine.openConnection?.taken(providerMessageId);
    this.#newChats.during(errorCode, () => this.#outbox.acknowledged(providerMessageId, errorCode));
    if (errorCode === null) this.#deafness.acknowledged();
  }

  #takeReceipt(receipt: RawReceipt, connection: NetworkConnection): void {
    this.#deafness.heard();
    this.#options.db.transaction(() => {
      this.#receipts.journal(receipt, (lid, groupId) => connection.phoneNumberOfAlias(lid, groupId));
      for (const id of receipt.providerMessageIds) this.#outbox.proven(id, receipt.isFromOwnDevice);
    });
  }

  /** What the journal does not know of a recipient any more, the edge may still know. */
  async #contentOf(providerMessageId: string): Promise<SentContent | null> {
    const found = await this.#link.content(providerMessageId);
    const to = this.#outbox.recipientOf(providerMessageId) ?? found?.to ?? null;
    return found && to !== null ? { content: found.content, to } : null;
  }
}
