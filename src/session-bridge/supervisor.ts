import { createSecretKey, type KeyObject } from 'node:crypto';
import type { BridgeConfig } from './config.ts';
import { ControlLink } from './control-link.ts';
import type { JournalDatabase } from './journal/database.ts';
import { FactTide } from './journal/fact-tide.ts';
import { type Lease, LeaseJournal } from './journal/leases.ts';
import { OutboundJournal } from './journal/outbound.ts';
import type { Log } from './logging.ts';
import type { WebVersionSource } from './network/web-version.ts';
import { NumberSession } from './number-session.ts';
import { makeVaultCache, type VaultCache } from './vault/vault.ts';

/** How long a revoked number may take to hand its facts over. */
const revokeFlushMs = 5_000;

export interface SupervisorOptions {
  config: BridgeConfig;
  db: JournalDatabase;
  versions: WebVersionSource;
  log: Log;
}

/** Turns leases into sessions: one a number, under the newest epoch alone. */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #leases: LeaseJournal;
  readonly #outbound: OutboundJournal;
  readonly #vaultCache: VaultCache;
  readonly #vaultKey: KeyObject;
  readonly #tide = new FactTide();
  readonly #sessions = new Map<string, NumberSession>();
  readonly #control: ControlLink;
  #isClosing = false;

  constructor(options: SupervisorOptions) {
    const { config, db, log } = options;
    this.#options = options;
    this.#leases = new LeaseJournal(db);
    this.#outbound = new OutboundJournal(db);
    this.#vaultKey = createSecretKey(config.vaultKey);
    this.#vaultCache = makeVaultCache(config.vaultCacheBytesMax);
    for (const lease of this.#leases.held()) this.#open(lease);
    this.#control = new ControlLink({
      config,
      bridgeId: db.bridgeId,
      afterCommit: db.afterCommit,
      log,
      heldLeases: () => this.#leases.held(),
      onGranted: (lease) => this.#granted(lease),
      onRevoked: (lease) => void this.#revoked(lease),
    });
  }

  /** Drops what no edge will ask for any more. */
  prune(): void {
    const now = Date.now();
    const weekMs = 7 * 24 * 3_600_000;
    this.#outbound.prune(now - this.#options.config.timings.resolvedKeepMs, now - weekMs);
  }

  /** Hands everything over and gives up every lease whose facts the edge has. Bounded by `drainMs`. */
  async drain(): Promise<void> {
    this.#isClosing = true;
    this.#control.drain();
    const deadlineMs = Date.now() + this.#options.config.timings.drainMs;
    await Promise.all(
      [...this.#sessions.values()].map(async (session) => {
        const isHandedOver = await session.drain(deadlineMs);
        await session.dispose();
        // With facts still on disk the lease stays ours: only under it can they be delivered.
        if (isHandedOver) this.#giveUp(session.lease);
        this.#options.log.info({ numberId: session.lease.numberId, isHandedOver }, 'lease.drained');
      }),
    );
    this.#sessions.clear();
    this.#control.close();
  }

  /** Ends everything at once, leases kept. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#control.close();
    await Promise.all([...this.#sessions.values()].map((session) => session.dispose()));
    this.#sessions.clear();
  }

  #granted(lease: Lease): void {
    const current = this.#sessions.get(lease.numberId);
    if (this.#isClosing || (current && current.lease.epoch >= lease.epoch)) return;
    this.#leases.grant(lease);
    this.#options.log.info(lease, 'lease.granted');
    if (!current) {
      this.#open(lease);
      return;
    }
    this.#sessions.delete(lease.numberId);
    void current.dispose().then(() => {
      const newest = this.#leases.held().find((held) => held.numberId === lease.numberId);
      if (this.#isClosing || newest?.epoch !== lease.epoch || this.#sessions.has(lease.numberId)) return;
      // What the old session still said while it ended is void as well.
      this.#leases.grant(lease);
      this.#open(lease);
    });
  }

  async #revoked(lease: Lease): Promise<void> {
    const session = this.#sessions.get(lease.numberId);
    if (session && session.lease.epoch > lease.epoch) return;
    this.#options.log.info(lease, 'lease.revoked');
    if (session) {
      await session.drain(Date.now() + revokeFlushMs);
      if (this.#sessions.get(lease.numberId) !== session) return;
      this.#sessions.delete(lease.numberId);
      await session.dispose();
    }
    this.#giveUp(lease);
  }

  #open(lease: Lease): void {
    const { config, db, versions, log } = this.#options;
    const session = new NumberSession({
      config,
      bridgeId: db.bridgeId,
      lease,
      db,
      outbound: this.#outbound,
      vaultCache: this.#vaultCache,
      vaultKey: this.#vaultKey,
      tide: this.#tide,
      versions,
      log,
      onOver: (why) => this.#over(session, why),
    });
    this.#sessions.set(lease.numberId, session);
  }

  #over(session: NumberSession, why: 'stale epoch' | 'gone'): void {
    const { numberId } = session.lease;
    if (this.#sessions.get(numberId) !== session) return;
    this.#options.log.warn({ ...session.lease, why }, 'lease.over');
    this.#sessions.delete(numberId);
    if (why === 'gone') this.#leases.forget(numberId);
    this.#giveUp(session.lease);
    void session.dispose();
  }

  #giveUp(lease: Lease): void {
    this.#leases.release(lease.numberId);
    this.#control.release(lease);
  }
}
