import {
  type ControlUpFrame,
  isSpokenVersion,
  leaseTimes,
  linkCloseCodes,
  revokedDrainMs,
  versionRefusal,
} from '../../contract/bridge/bridge-frames.ts';
import { settingsOf } from '../../settings/worker-settings.ts';
import { BackedUpObject } from '../backup/backed-up-object.ts';
import type { Counts } from '../counts/counted.ts';
import { SummedCounts } from '../counts/summed-counts.ts';
import { log, logFault } from '../log.ts';
import { NamedTimers } from '../named-timers.ts';
import { migrateObject } from '../storage/object-migrations.ts';
import { type BridgeRow, BridgeRows } from './bridge-rows.ts';
import { ControlLinks, parseFrame, sendTo } from './control-links.ts';
import { CredentialRows, type Enrolled, type LetIn, newGeneration } from './credential-rows.ts';
import { regionOf } from './fleet-name.ts';
import { LeaseGrants } from './lease-grants.ts';
import { type LastHolder, LeaseRows } from './lease-rows.ts';
import { LostBridges } from './lost-bridges.ts';
import { bridgeFleetMigrations } from './migrations.ts';
import { placeNumber } from './placement.ts';
import { RevokedLinks } from './revoked-links.ts';

/** `isLinked`: it is there now. */
export type ShownBridge = BridgeRow & { isLinked: boolean } & Partial<Enrolled>;

/**
 * A new life of this object finds no links when the platform has ended all of them, as a deploy does. The bridges are
 * there and come back; to give their numbers to the first that does would move all of them for nothing.
 */
const restartGraceMs = 10_000;
const goingAway = 1001;
/** How long a bridge may still drive a number that was taken from it, whether it hears of that or not. */
const revokedForMs = revokedDrainMs + leaseTimes.expiresMs;

/**
 * Which bridges are there, and which of them drives which number. Owns the leases, in SQLite; the control sockets
 * hibernate, with the bridge's id in their attachment. A bridge that is not heard of for {@link leaseTimes} loses its
 * leases, as far as others have room for its numbers; whose numbers wait all the same, for it or for any, is told.
 */
export class BridgeFleet extends BackedUpObject {
  readonly #leases: LeaseRows;
  readonly #bridges: BridgeRows;
  readonly #credentials: CredentialRows;
  readonly #links: ControlLinks;
  readonly #grants: LeaseGrants;
  readonly #losses: LostBridges;
  readonly #revokedLinks: RevokedLinks;
  readonly #counts: SummedCounts;
  readonly #timers: NamedTimers;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    migrateObject(ctx.storage, bridgeFleetMigrations);
    this.#leases = new LeaseRows(ctx.storage.sql);
    this.#bridges = new BridgeRows(ctx.storage.sql);
    this.#credentials = new CredentialRows(ctx.storage.sql);
    this.#links = new ControlLinks(ctx);
    this.#grants = new LeaseGrants(env, this.#links);
    const graceMs = settingsOf(env).DEVICE_GRACE_SECONDS * 1000;
    this.#losses = new LostBridges({
      sql: ctx.storage.sql,
      env,
      graceMs,
      region: regionOf(ctx),
      bridges: () => this.stats().bridges,
    });
    this.#revokedLinks = new RevokedLinks({ sql: ctx.storage.sql, env });
    this.#counts = new SummedCounts(ctx.storage.sql);
    this.#timers = new NamedTimers(ctx.storage, [
      {
        name: 'silent_bridges',
        dueAt: () => this.#links.silentAt(Date.now()),
        run: (now) => this.#closeSilent(now),
      },
      { name: 'leases', dueAt: () => this.#bridges.expiryDueAt(), run: (now) => this.#expire(now) },
      { name: 'free', dueAt: () => this.#leases.freeAt(), run: (now) => this.#free(now) },
      { name: 'losses', dueAt: () => this.#losses.dueAt(), run: (now) => this.#losses.run(now) },
      {
        name: 'revoked_links',
        dueAt: () => this.#revokedLinks.dueAt(),
        run: (now) => this.#revokedLinks.run(now),
      },
    ]);
    this.#noteUnlinked();
    ctx.blockConcurrencyWhile(() => this.#timers.wake());
  }

  // --- verbs of the numbers ----------------------------------------------------------------------------------------

  /**
   * Sees to it that a bridge drives the number, now or as soon as one has room. Repeating it changes nothing. `last`: who
   * drove it last, as the number knows. A fleet that has lost what it knew goes on from there: no epoch comes twice.
   */
  acquire(numberId: string, accountId: string | null = null, last: LastHolder | null = null): void {
    this.ctx.storage.transactionSync(() => {
      this.#leases.want(numberId, accountId);
      const freeAt = Date.now() + leaseTimes.expiresMs;
      if (last !== null && this.#leases.recover(numberId, last, freeAt))
        log('lease.recovered', { numberId, ...last });
    });
    if (!this.#leases.find(numberId)?.bridge_id) {
      this.#losses.changed();
      this.#place();
    }
    this.#timers.arm();
  }

  /** The number needs no bridge any more. */
  release(numberId: string): void {
    const lease = this.#leases.find(numberId);
    if (!lease) return;
    this.ctx.storage.transactionSync(() => this.#leases.unwant(lease, Date.now() + revokedForMs));
    this.#losses.changed();
    this.#timers.arm();
    if (lease.bridge_id) {
      this.#links.send(lease.bridge_id, { type: 'lease.revoked', numberId, epoch: lease.epoch });
      this.#place();
    }
  }

  /**
   * What a bridge may do over a link of this number: `drive` it under the lease that it holds, only `report` under one
   * that it held before, or nothing.
   */
  standing(numberId: string, bridgeId: string, epoch: number): 'drive' | 'report' | null {
    if (this.#credentials.isRevoked(bridgeId)) return null;
    const lease = this.#leases.find(numberId);
    if (lease?.bridge_id === bridgeId && lease.epoch === epoch) return 'drive';
    this.#recover(numberId, epoch);
    return this.#leases.wasHeld(numberId, bridgeId, epoch) ? 'report' : null;
  }

  // --- verbs of the operator ---------------------------------------------------------------------------------------

  /** Bridges that are linked now and take work. */
  stats(): { bridges: number } {
    return { bridges: this.#linked().filter((bridge) => !bridge.draining).length };
  }

  /** Every bridge that holds numbers, or was linked within the last days. */
  bridges(): ShownBridge[] {
    const linked = new Set(this.#links.bridgeIds);
    return this.#bridges.all().map((bridge) => this.#shown(bridge, linked.has(bridge.bridgeId)));
  }

  /** Numbers that want a bridge and have none, since none has room for them. */
  waitingNumbers(): number {
    return this.#leases.waitingCount();
  }

  /** What some part of the deployment has counted since it told last. Only the fleet of those without a region is told. */
  addCounts(counts: Counts): void {
    this.#counts.add(counts, Date.now());
  }

  /** What the whole deployment has counted, by the names of `/metrics`. No figure ever falls. */
  counts(): Counts {
    return this.#counts.shown(Date.now());
  }

  /** How large an account's log is; null: it is not large any more. Only the fleet of those without a region is told. */
  noteLogBytes(accountId: string, bytes: number | null): void {
    const { sql } = this.ctx.storage;
    if (bytes === null) sql.exec('DELETE FROM filling_logs WHERE account_id = ?', accountId);
    else sql.exec('INSERT OR REPLACE INTO filling_logs (account_id, bytes) VALUES (?, ?)', accountId, bytes);
  }

  /** Of the accounts whose logs are large, the bytes of each. */
  fillingLogs(): number[] {
    const query = 'SELECT bytes FROM filling_logs';
    return this.ctx.storage.sql
      .exec<{ bytes: number }>(query)
      .toArray()
      .map(({ bytes }) => bytes);
  }

  #shown(bridge: BridgeRow, isLinked: boolean): ShownBridge {
    return { ...bridge, ...this.#credentials.find(bridge.bridgeId), isLinked };
  }

  /** A token that lets one new bridge in until `expiresAt` (milliseconds since 1970). */
  addEnrolmentToken(tokenHash: string, name: string | null, expiresAt: number): void {
    this.ctx.storage.transactionSync(() => this.#credentials.addToken(tokenHash, name, expiresAt));
  }

  /**
   * The bridge is no bridge any more, for good. Nothing that it says counts from here on; {@link BridgeFleet.evict} gives
   * its numbers to others. Answers these numbers, or null where there was no such bridge. Repeating it changes nothing.
   */
  revoke(bridgeId: string): string[] | null {
    if (this.#bridges.find(bridgeId) === null && this.#credentials.find(bridgeId) === null) return null;
    this.ctx.storage.transactionSync(() => {
      this.#credentials.revoke(bridgeId, Date.now());
      this.#revokedLinks.add(bridgeId);
    });
    this.#timers.arm();
    this.#links.socketOf(bridgeId)?.close(linkCloseCodes.revoked, 'this bridge was revoked');
    log('bridge.revoked', { bridgeId });
    return this.#leases.heldBy(bridgeId).map(({ number_id }) => number_id);
  }

  /** Takes the numbers from a bridge that was revoked, once nothing that it says to them counts. */
  evict(bridgeId: string): void {
    this.ctx.storage.transactionSync(() => {
      const freeAt = Date.now() + leaseTimes.expiresMs;
      for (const lease of this.#leases.heldBy(bridgeId)) this.#leases.takeBack(lease, freeAt);
    });
    this.#place();
    this.#timers.arm();
  }

  /**
   * Gives the bridge nothing new and moves its numbers to others as far as these have room, or takes it back into use.
   * Null: there is no such bridge.
   */
  setDrained(bridgeId: string, isDrained: boolean): ShownBridge | null {
    this.#bridges.setDrained(bridgeId, isDrained);
    const bridge = this.#bridges.find(bridgeId);
    if (bridge === null) return null;
    log(isDrained ? 'bridge.drained' : 'bridge.resumed', { bridgeId });
    this.#place();
    return this.#shown(bridge, this.#links.socketOf(bridgeId) !== undefined);
  }

  // --- the bridges -------------------------------------------------------------------------------------------------

  /**
   * Lets a bridge in. `tokenHash`: of the token that it presented; null where it has the deployment's own. `refused`: the
   * token lets nobody in, or somebody else. `taken`: another token has let in a bridge of this id, whose credential is
   * nobody else's. The same token once more gets the same `generation`, so that an answer that is lost costs no token.
   */
  letIn(bridgeId: string, tokenHash: string | null): LetIn {
    const credentials = this.#credentials;
    if (credentials.isRevoked(bridgeId)) return { enrolled: 'revoked', generation: null };
    const now = Date.now();
    return this.ctx.storage.transactionSync(() => {
      const before = credentials.find(bridgeId);
      if (before !== null && !credentials.wasLetInBy(bridgeId, tokenHash))
        return { enrolled: 'taken', generation: null };
      const name = tokenHash === null ? null : credentials.useToken(tokenHash, bridgeId, now);
      if (name === undefined) return { enrolled: 'refused', generation: null };
      if (before === null) credentials.add(bridgeId, { name, tokenHash, generation: newGeneration() }, now);
      log('bridge.enrolled', { bridgeId });
      return { enrolled: 'enrolled', generation: credentials.generationOf(bridgeId) };
    });
  }

  /** Also where the bridge was let in anew since its token was made: `generation`, what the token says. */
  isRevoked(bridgeId: string, generation?: string | null): boolean {
    if (this.#credentials.isRevoked(bridgeId)) return true;
    const current = this.#credentials.generationOf(bridgeId);
    return generation !== undefined && current !== null && generation !== current;
  }

  /** Only the WebSocket upgrade of a bridge, which the Worker has authenticated as `bridge`. */
  override fetch(request: Request): Response {
    const bridgeId = new URL(request.url).searchParams.get('bridge');
    if (request.headers.get('Upgrade') !== 'websocket' || bridgeId === null)
      return new Response(null, { status: 400 });
    const response = this.#links.accept(bridgeId, Date.now());
    this.#timers.arm();
    return response;
  }

  override webSocketMessage(socket: WebSocket, data: string | ArrayBuffer): void {
    const frame = parseFrame(data);
    const bridgeId = this.#links.bridgeOf(socket);
    if (frame?.type === 'bridge.hello') {
      if (frame.bridgeId !== this.#links.provenBridgeOf(socket))
        socket.close(linkCloseCodes.protocolError, 'the token is of another bridge');
      else if (isSpokenVersion(frame.version)) this.#welcome(socket, frame);
      else this.#refuseVersion(socket, frame);
    } else if (frame?.type === 'bridge.draining' && bridgeId) {
      this.#bridges.noteDraining(bridgeId);
      log('bridge.draining', { bridgeId });
    } else if (frame?.type === 'bridge.status' && bridgeId) {
      this.#bridges.noteStatus(bridgeId, frame.residentBytes, frame.counts ?? null);
      this.#counts.store(Date.now());
      this.#grants.renew(bridgeId, () => this.#leases.heldBy(bridgeId), Date.now());
    } else if (frame?.type === 'lease.released' && bridgeId) {
      const { numberId, epoch } = frame;
      this.ctx.storage.transactionSync(() => this.#leases.released(numberId, bridgeId, epoch));
      this.#place();
      this.#timers.arm();
    } else {
      socket.close(
        linkCloseCodes.protocolError,
        bridgeId ? 'no frame of this protocol' : 'hello comes first',
      );
    }
  }

  override webSocketClose(socket: WebSocket): void {
    this.#noteLost(socket);
  }

  override webSocketError(socket: WebSocket): void {
    this.#noteLost(socket);
  }

  override alarm(): Promise<void> {
    return this.#timers.ring(Date.now(), (name, error) => logFault(`timer.${name}`, error));
  }

  /** In this order: from the welcome on the bridge's pings keep its leases, so it must know before which ones it has. */
  #welcome(socket: WebSocket, hello: Extract<ControlUpFrame, { type: 'bridge.hello' }>): void {
    const { bridgeId } = hello;
    // A bridge that claims to have room for everybody would be given everybody.
    const capacity = Math.min(hello.capacity, settingsOf(this.env).BRIDGE_CAPACITY_MAX);
    const earlier = this.#links.socketOf(bridgeId);
    if (earlier !== socket) earlier?.close(linkCloseCodes.replaced, 'a newer control link took over');
    const leaseMs = settingsOf(this.env).BRIDGE_LEASE_MS;
    this.#links.identify(socket, { bridgeId, version: hello.version, leaseMs });
    this.#bridges.linked(hello, capacity, Date.now());
    const held = this.#leases.heldBy(bridgeId);
    for (const { numberId, epoch } of hello.leases) {
      const stillHeld = held.some((lease) => lease.number_id === numberId && lease.epoch === epoch);
      if (stillHeld) continue;
      const known = this.#leases.find(numberId);
      // Nobody has it since: it has all the time that a bridge ever has.
      const isRevoked =
        known?.epoch === epoch && known.bridge_id === null && this.#leases.wasHeld(numberId, bridgeId, epoch);
      if (isRevoked) this.#leases.holdBack(numberId, Date.now() + revokedForMs);
      sendTo(socket, { type: isRevoked ? 'lease.revoked' : 'lease.expired', numberId, epoch });
      this.#recover(numberId, epoch);
    }
    this.#grants.tellAll(bridgeId, held, Date.now());
    sendTo(socket, { type: 'bridge.welcome', version: hello.version, ...(leaseMs && { leaseMs }) });
    log('bridge.linked', { bridgeId, version: hello.version, capacity, leases: held.length });
    this.#place();
    this.#losses.changed();
    this.#timers.arm();
  }

  /**
   * A bridge has named a lease of which nothing is known. Epochs come from here alone, so it was forgotten, and the number
   * may be without a bridge and not know it. What it wants it says itself, by {@link BridgeFleet.acquire}.
   */
  #recover(numberId: string, epoch: number): void {
    const known = this.#leases.find(numberId)?.epoch ?? 0;
    if (known < epoch) this.ctx.waitUntil(this.#askNumber(numberId));
  }

  async #askNumber(numberId: string): Promise<void> {
    try {
      await this.env.PHONE_NUMBER.getByName(numberId).missBridge();
    } catch (error) {
      logFault('lease.not_recovered', error, { numberId });
    }
  }

  #refuseVersion(socket: WebSocket, { bridgeId, version }: { bridgeId: string; version: number }): void {
    log('bridge.version_refused', { bridgeId, version });
    socket.close(linkCloseCodes.protocolError, versionRefusal(version));
  }

  /** What the fleet thinks linked, and is not: their sockets ended with an earlier life of this object. */
  #noteUnlinked(): void {
    const linked = new Set(this.#links.bridgeIds);
    const leasesUntil = Date.now() + restartGraceMs;
    for (const { bridgeId, leasesUntil: known } of this.#bridges.all())
      if (known === null && !linked.has(bridgeId)) this.#bridges.lost(bridgeId, leasesUntil);
    // A bridge of which nothing is known any more has to say again which leases it has.
    for (const bridgeId of linked)
      if (this.#bridges.find(bridgeId) === null)
        this.#links.socketOf(bridgeId)?.close(goingAway, 'say hello');
  }

  #noteLost(socket: WebSocket): void {
    const bridgeId = this.#links.bridgeOf(socket);
    // A newer link of the same bridge may be there already.
    if (bridgeId === null || this.#links.socketOf(bridgeId)) return;
    this.#bridges.lost(bridgeId, this.#links.leasesUntil(socket));
    log('bridge.lost', { bridgeId });
    this.#timers.arm();
  }

  /** A link whose other end is gone without a word: its bridge has lost its leases by now. */
  #closeSilent(now: number): void {
    for (const socket of this.#links.closeSilent(now)) this.#noteLost(socket);
    this.#expire(now);
  }

  #expire(now: number): void {
    const expired = this.#bridges.expire(now);
    for (const bridgeId of expired) log('bridge.expired', { bridgeId });
    if (expired.length > 0) this.#place();
    this.#timers.arm();
  }

  #free(now: number): void {
    this.#leases.free(now);
    this.#place();
  }

  /** Gives numbers that wait for a bridge to those with the most room, as long as there is any, in turn by account. */
  #place(): void {
    const loads = this.#linked();
    let room = loads.reduce(
      (sum, { capacity, leases, draining }) => sum + (draining ? 0 : Math.max(0, capacity - leases)),
      0,
    );
    if (room === 0) return;
    for (const lease of this.#leases.waiting(room, Date.now())) {
      const bridgeId = placeNumber(loads);
      if (bridgeId === null) return;
      const { number_id: numberId } = lease;
      const epoch = lease.epoch + 1;
      this.ctx.storage.transactionSync(() => this.#leases.assign(lease, bridgeId, epoch));
      for (const load of loads) if (load.bridgeId === bridgeId) load.leases += 1;
      room -= 1;
      this.#grants.tell(bridgeId, numberId, epoch, Date.now());
      log('lease.granted', { numberId, bridgeId, epoch });
      this.#losses.changed();
    }
    this.#timers.arm();
    this.#empty(loads, room);
  }

  /** Bridges that the operator wants empty give up what others have room for. To say it again changes nothing. */
  #empty(loads: readonly BridgeRow[], room: number): void {
    const leaving = loads.filter(({ isDrained }) => isDrained);
    for (const lease of leaving.flatMap(({ bridgeId }) => this.#leases.heldBy(bridgeId)).slice(0, room)) {
      const { number_id: numberId, epoch, bridge_id: bridgeId } = lease;
      if (bridgeId !== null) this.#links.send(bridgeId, { type: 'lease.revoked', numberId, epoch });
    }
  }

  /** The bridges that are linked now, with how many numbers they hold. */
  #linked(): BridgeRow[] {
    return this.#links.bridgeIds.flatMap((bridgeId) => this.#bridges.find(bridgeId) ?? []);
  }
}
