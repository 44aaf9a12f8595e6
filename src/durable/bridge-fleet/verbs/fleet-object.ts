import { settingsOf } from '../../../settings/worker-settings.ts';
import { SummedCounts } from '../../counts/summed-counts.ts';
import { log } from '../../log.ts';
import { NamedTimers } from '../../named-timers.ts';
import { migrateObject } from '../../storage/object-migrations.ts';
import { TimedObject } from '../../timed-object.ts';
import { type BridgeRow, BridgeRows, placeNumber } from '../bridge-rows.ts';
import { ControlLinks, LeaseGrants } from '../control-links.ts';
import { CredentialRows } from '../credential-rows.ts';
import { regionOf } from '../fleet-of.ts';
import { LeaseRows, revokedForMs } from '../lease-rows.ts';
import { LostBridges } from '../lost-bridges.ts';
import { bridgeFleetMigrations } from '../migrations.ts';
import { RevokedLinks } from '../revoked-links.ts';

/**
 * After a restart this object has no links if the platform has ended them all, as a deploy does. The bridges still exist and
 * reconnect. Without this wait, all numbers would move to the first bridge that does.
 */
const restartGraceMs = 10_000;
const goingAway = 1001;
/** The object beneath the verbs: its parts, its timers, and where its numbers go. */
export class FleetObject extends TimedObject {
  protected readonly parts;
  protected readonly timers: NamedTimers;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    migrateObject(ctx.storage, bridgeFleetMigrations);
    this.parts = this.#assemble();
    const { links, bridges, leases, losses, revokedLinks } = this.parts;
    this.timers = new NamedTimers(ctx.storage, [
      {
        name: 'silent_bridges',
        dueAt: () => links.silentAt(Date.now()),
        run: (now) => this.#closeSilent(now),
      },
      {
        name: 'leases',
        dueAt: () => bridges.expiryDueAt(),
        run: (now) => this.#expire(now),
        clockWentBack: (now) => bridges.expireBy(now + restartGraceMs),
      },
      {
        name: 'free',
        dueAt: () => leases.freeAt(),
        run: (now) => this.#free(now),
        clockWentBack: (now) => leases.freeBy(now + revokedForMs),
      },
      { name: 'losses', dueAt: () => losses.dueAt(), run: (now) => losses.run(now) },
      { name: 'revoked_links', dueAt: () => revokedLinks.dueAt(), run: (now) => revokedLinks.run(now) },
    ]);
    this.#noteUnlinked();
    ctx.blockConcurrencyWhile(() => this.timers.wake());
  }

  #assemble() {
    const { ctx, env } = this;
    const { sql } = ctx.storage;
    const links = new ControlLinks(ctx);
    const graceMs = settingsOf(env).DEVICE_GRACE_SECONDS * 1000;
    return {
      leases: new LeaseRows(sql),
      bridges: new BridgeRows(sql),
      credentials: new CredentialRows(sql),
      links,
      grants: new LeaseGrants(env, links),
      losses: new LostBridges({
        sql,
        env,
        graceMs,
        region: regionOf(ctx),
        bridges: () => this.working().length,
      }),
      revokedLinks: new RevokedLinks({ sql, env }),
      counts: new SummedCounts(sql),
    };
  }

  /** What the fleet thinks linked, and is not: their sockets ended with an earlier life of this object. */
  #noteUnlinked(): void {
    const linked = new Set(this.parts.links.bridgeIds);
    const leasesUntil = Date.now() + restartGraceMs;
    for (const { bridgeId, leasesUntil: known } of this.parts.bridges.all())
      if (known === null && !linked.has(bridgeId)) this.parts.bridges.lost(bridgeId, leasesUntil);
    // A bridge of which nothing is known any more has to say again which leases it has.
    for (const bridgeId of linked)
      if (this.parts.bridges.find(bridgeId) === null)
        this.parts.links.socketOf(bridgeId)?.close(goingAway, 'say hello');
  }

  protected noteLost(socket: WebSocket): void {
    const bridgeId = this.parts.links.bridgeOf(socket);
    // A newer link of the same bridge may be there already.
    if (bridgeId === null || this.parts.links.socketOf(bridgeId)) return;
    this.parts.bridges.lost(bridgeId, this.parts.links.leasesUntil(socket));
    log('bridge.lost', { bridgeId });
    this.timers.arm();
  }

  /** A link whose other end is gone without a word: its bridge has lost its leases by now. */
  #closeSilent(now: number): void {
    for (const socket of this.parts.links.closeSilent(now)) this.noteLost(socket);
    this.#expire(now);
  }

  #expire(now: number): void {
    const expired = this.parts.bridges.expire(now);
    for (const bridgeId of expired) log('bridge.expired', { bridgeId });
    if (expired.length > 0) this.place();
    this.timers.arm();
  }

  #free(now: number): void {
    this.parts.leases.free(now);
    this.place();
  }

  /** Gives numbers that wait for a bridge to those with the most room, as long as there is any, in turn by account. */
  protected place(): void {
    const loads = this.linked();
    let room = loads.reduce(
      (sum, { capacity, leases, draining }) => sum + (draining ? 0 : Math.max(0, capacity - leases)),
      0,
    );
    if (room === 0) return;
    for (const lease of this.parts.leases.waiting(room, Date.now())) {
      const bridgeId = placeNumber(loads);
      if (bridgeId === null) return;
      const { number_id: numberId } = lease;
      const epoch = lease.epoch + 1;
      this.ctx.storage.transactionSync(() => this.parts.leases.assign(lease, bridgeId, epoch));
      for (const load of loads) if (load.bridgeId === bridgeId) load.leases += 1;
      room -= 1;
      this.parts.grants.tell(bridgeId, numberId, epoch, Date.now());
      log('lease.granted', { numberId, bridgeId, epoch });
      this.parts.losses.changed();
    }
    this.timers.arm();
    this.#empty(loads, room);
  }

  /** Bridges that the operator wants empty give up what others have room for. To say it again changes nothing. */
  #empty(loads: readonly BridgeRow[], room: number): void {
    const leaving = loads.filter(({ isDrained }) => isDrained);
    for (const lease of leaving
      .flatMap(({ bridgeId }) => this.parts.leases.heldBy(bridgeId))
      .slice(0, room)) {
      const { number_id: numberId, epoch, bridge_id: bridgeId } = lease;
      if (bridgeId !== null) this.parts.links.send(bridgeId, { type: 'lease.revoked', numberId, epoch });
    }
  }

  /** Bridges that are linked now and take work. */
  protected working(): BridgeRow[] {
    return this.linked().filter((bridge) => !bridge.draining);
  }

  /** The bridges that are linked now, with how many numbers they hold. */
  protected linked(): BridgeRow[] {
    return this.parts.links.bridgeIds.flatMap((bridgeId) => this.parts.bridges.find(bridgeId) ?? []);
  }
}
