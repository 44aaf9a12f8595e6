import { join } from 'node:path';
import { revokedDrainMs } from '../contract/bridge/bridge-frames.ts';
import { ControlLink } from './edge/control-link.ts';
import { Grants } from './edge/grants.ts';
import { LeaseClock } from './edge/lease-clock.ts';
import { Reports } from './edge/reports.ts';
import { BridgeCounting } from './health/counting.ts';
import { JournalLimit } from './journal/journal-limit.ts';
import { type Lease, LeaseJournal } from './journal/leases.ts';
import { OutboundJournal } from './journal/outbound.ts';
import { SendInterval } from './journal/send-interval.ts';
import { Previews } from './media/previews/previews.ts';
import { Transfers } from './media/transfers.ts';
import { UploadTickets } from './media/upload-tickets.ts';
import { VoiceNotes } from './media/voice-notes/voice-notes.ts';
import { LoginTurns } from './session/machine/login-turns.ts';
import { NumberSession, type SharedParts } from './session/number-session.ts';
import { SealingAnew } from './vault/sealing-anew.ts';
import { makeVaultCache } from './vault/vault.ts';
import { VaultKeys } from './vault/vault-keys.ts';

/** How long the numbers of an earlier process wait for the fleet. It says what has become of their leases, and signs them. */
const fleetWordMs = 1_000;

export type SupervisorOptions = Pick<SharedParts, 'config' | 'db' | 'token' | 'versions' | 'log'>;

/** Turns leases into sessions: one for each number, under the newest epoch only. */
export class Supervisor {
  readonly #leases: LeaseJournal;
  readonly #shared: SharedParts;
  readonly #sessions = new Map<string, NumberSession>();
  readonly #reports: Reports;
  /** How long the leases of an earlier process wait for the fleet. */
  readonly #opening: NodeJS.Timeout;
  #hasOpened = false;
  readonly #control: ControlLink;
  #isClosing = false;

  constructor(options: SupervisorOptions) {
    const { config, db, token, log } = options;
    this.#leases = new LeaseJournal(db);
    const transfers = (folder: string) => new Transfers(join(config.home, folder), config.mediaBytesMax);
    this.#shared = {
      ...options,
      outbound: new OutboundJournal(db),
      vaultKeys: new VaultKeys(config.vaultKey, config.vaultKeyPrevious),
      sealingAnew: new SealingAnew(log),
      vaultCache: makeVaultCache(config.vaultCacheBytesMax),
      interval: new SendInterval(config.timings.factTickMs),
      logins: new LoginTurns(config.logins),
      journalLimit: new JournalLimit({ db, bytesMax: config.journalBytesMax, log }),
      media: {
        tickets: new UploadTickets(db),
        outbound: transfers('media'),
        inbound: transfers('media-in'),
        converted: transfers('media-converted'),
        previews: new Previews(log),
        voiceNotes: new VoiceNotes(log),
      },
      leaseClock: new LeaseClock(),
      grants: new Grants(),
      counting: new BridgeCounting(),
    };
    const { interval, leaseClock, grants, counting } = this.#shared;
    this.#reports = new Reports({
      config,
      db,
      token,
      interval,
      log,
      onGone: (numberId) => this.#leases.forget(numberId),
    });
    this.#reportLeftovers();
    this.#opening = setTimeout(() => this.#openHeld(), fleetWordMs);
    this.#control = new ControlLink({
      config,
      bridgeId: db.bridgeId,
      token,
      afterCommit: db.afterCommit,
      log,
      heldLeases: () => this.#leases.held(),
      leaseClock,
      grants,
      counting,
      onWelcome: () => this.#openHeld(),
      onGranted: (lease) => this.#granted(lease),
      onRevoked: (lease) => void this.#revoked(lease),
      onExpired: (lease) => this.#expired(lease),
    });
  }

  /** Whether the gateway has welcomed this bridge over the link that it has now. */
  get isLinked(): boolean {
    return this.#control.isWelcome;
  }

  /** Deletes what no edge will request any more, and offers again what an edge has refused. */
  prune(): void {
    const now = Date.now();
    const weekMs = 7 * 24 * 3_600_000;
    this.#shared.outbound.prune(now - this.#shared.config.timings.resolvedKeepMs, now - weekMs);
    this.#leases.dropVoid();
    this.#shared.media.tickets.prune();
    this.#reportLeftovers();
    this.#renewVaults();
  }

  /** Hands everything over and gives up each lease whose facts the edge has. Takes `drainMs` at most. */
  async drain(): Promise<void> {
    this.#isClosing = true;
    clearTimeout(this.#opening);
    this.#shared.sealingAnew.close();
    this.#control.drain();
    const deadlineMs = Date.now() + this.#shared.config.timings.drainMs;
    await Promise.all(
      [...this.#sessions.values()].map(async (session) => {
        const isHandedOver = await session.drain(deadlineMs);
        await session.dispose();
        // While facts are still on disk the lease is kept: they can be delivered only under it.
        if (isHandedOver) this.#giveUp(session.lease);
        this.#shared.log.info({ numberId: session.lease.numberId, isHandedOver }, 'lease.drained');
      }),
    );
    this.#sessions.clear();
    this.#shared.media.previews.close();
    this.#shared.media.voiceNotes.close();
    this.#reports.closeAll();
    this.#control.close();
  }

  /** Ends everything at once, leases kept. */
  async close(): Promise<void> {
    this.#isClosing = true;
    clearTimeout(this.#opening);
    this.#shared.sealingAnew.close();
    this.#control.close();
    this.#reports.closeAll();
    await Promise.all([...this.#sessions.values()].map((session) => session.dispose()));
    this.#sessions.clear();
    this.#shared.media.previews.close();
    this.#shared.media.voiceNotes.close();
  }

  /** The leases of an earlier process of which the fleet has not said anything yet. */
  #openHeld(): void {
    clearTimeout(this.#opening);
    if (this.#isClosing || this.#hasOpened) return;
    this.#hasOpened = true;
    for (const lease of this.#leases.held()) if (!this.#sessions.has(lease.numberId)) this.#open(lease);
  }

  #granted(lease: Lease): void {
    const current = this.#sessions.get(lease.numberId);
    if (this.#isClosing || (current && current.lease.epoch >= lease.epoch)) return;
    this.#reports.close(lease.numberId);
    this.#leases.grant(lease);
    this.#shared.log.info(lease, 'lease.granted');
    if (!current) {
      this.#open(lease);
      return;
    }
    this.#sessions.delete(lease.numberId);
    void current.dispose().then(() => {
      const newest = this.#leases.held().find((held) => held.numberId === lease.numberId);
      if (this.#isClosing || newest?.epoch !== lease.epoch || this.#sessions.has(lease.numberId)) return;
      // What the old session reported while it ended is void as well.
      this.#leases.grant(lease);
      this.#open(lease);
    });
  }

  async #revoked(lease: Lease): Promise<void> {
    const session = this.#sessions.get(lease.numberId);
    if (session && session.lease.epoch > lease.epoch) return;
    this.#shared.log.info(lease, 'lease.revoked');
    if (session) {
      await session.drain(Date.now() + revokedDrainMs);
      if (this.#sessions.get(lease.numberId) !== session) return;
      this.#sessions.delete(lease.numberId);
      await session.dispose();
    }
    this.#giveUp(lease);
    this.#reportLeftovers();
  }

  #expired(lease: Lease): void {
    const session = this.#sessions.get(lease.numberId);
    if (session?.lease.epoch === lease.epoch) this.#over(session, 'stale epoch');
    else if (!session) {
      this.#giveUp(lease);
      this.#reportLeftovers();
    }
  }

  #open(lease: Lease): void {
    const session = new NumberSession({
      ...this.#shared,
      lease,
      onOver: (why) => this.#over(session, why),
    });
    this.#sessions.set(lease.numberId, session);
  }

  #over(session: NumberSession, why: 'stale epoch' | 'gone'): void {
    const { numberId } = session.lease;
    if (this.#sessions.get(numberId) !== session) return;
    this.#shared.log.warn({ ...session.lease, why }, 'lease.over');
    this.#sessions.delete(numberId);
    if (why === 'gone') this.#leases.forget(numberId);
    // When a lease is over, the session first reports what never left, so that this is not deleted with the lease.
    const ended = why === 'gone' ? session.dispose() : session.abandon();
    this.#giveUp(session.lease);
    void ended.then(() => this.#reportLeftovers());
  }

  #reportLeftovers(): void {
    if (this.#isClosing) return;
    for (const lease of this.#leases.over()) {
      if (!this.#sessions.has(lease.numberId)) this.#reports.begin(lease);
    }
  }

  /**
   * Asks again for numbers where it failed, and logs the progress, so that the operator knows when the previous key can be
   * removed.
   */
  #renewVaults(): void {
    const sessions = [...this.#sessions.values()];
    for (const session of sessions) session.renewVault();
    if (this.#shared.config.vaultKeyPrevious === null) return;
    const renewed = sessions.filter(({ isVaultRenewed }) => isVaultRenewed).length;
    this.#shared.log.info({ renewed, waiting: sessions.length - renewed }, 'vault.keys');
  }

  #giveUp(lease: Lease): void {
    this.#leases.release(lease.numberId);
    this.#control.release(lease);
  }
}
