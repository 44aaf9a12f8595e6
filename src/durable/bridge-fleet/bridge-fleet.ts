import {
  type ControlUpFrame,
  isSpokenVersion,
  leaseTimes,
  linkCloseCodes,
  versionRefusal,
} from '../../contract/bridge/bridge-frames.ts';
import { settingsOf } from '../../settings/worker-settings.ts';
import { log, logFault } from '../log.ts';
import { parseFrame, sendTo } from './control-links.ts';
import { type LetIn, newGeneration } from './credential-rows.ts';
import { type LastHolder, revokedForMs } from './lease-rows.ts';
import { OperatedFleet } from './verbs/operator-verbs.ts';

/**
 * Knows which bridges exist and which of them drives which number. Owns the leases, in SQLite. The control sockets hibernate,
 * with the bridge's id in their attachment. A bridge that is silent for {@link leaseTimes} loses its leases, if other bridges
 * have room for its numbers. Accounts whose numbers have to wait for a bridge are told.
 */
export class BridgeFleet extends OperatedFleet {
  // --- verbs of the numbers -----------------------------------------------------------------------------------------

  /**
   * Makes a bridge drive the number, now or as soon as one has room. Safe to repeat. `last`: who drove the number last, as the
   * number knows. A fleet that has lost its storage continues from there, so no epoch is used twice.
   */
  acquire(numberId: string, accountId: string | null = null, last: LastHolder | null = null): void {
    this.ctx.storage.transactionSync(() => {
      this.parts.leases.want(numberId, accountId);
      const freeAt = Date.now() + leaseTimes.expiresMs;
      if (last !== null && this.parts.leases.recover(numberId, last, freeAt))
        log('lease.recovered', { numberId, ...last });
    });
    if (!this.parts.leases.find(numberId)?.bridge_id) {
      this.parts.losses.changed();
      this.place();
    }
    this.timers.arm();
  }

  /** The number needs no bridge any more. */
  release(numberId: string): void {
    const lease = this.parts.leases.find(numberId);
    if (!lease) return;
    this.ctx.storage.transactionSync(() => this.parts.leases.unwant(lease, Date.now() + revokedForMs));
    this.parts.losses.changed();
    this.timers.arm();
    if (lease.bridge_id) {
      this.parts.links.send(lease.bridge_id, { type: 'lease.revoked', numberId, epoch: lease.epoch });
      this.place();
    }
  }

  /**
   * What a bridge may do over a link of this number: `drive` it under the lease that it holds, only `report` under one
   * that it held before, or nothing.
   */
  standing(numberId: string, bridgeId: string, epoch: number): 'drive' | 'report' | null {
    if (this.parts.credentials.isRevoked(bridgeId)) return null;
    const lease = this.parts.leases.find(numberId);
    if (lease?.bridge_id === bridgeId && lease.epoch === epoch) return 'drive';
    this.#recover(numberId, epoch);
    return this.parts.leases.wasHeld(numberId, bridgeId, epoch) ? 'report' : null;
  }

  // --- the bridges --------------------------------------------------------------------------------------------------

  /**
   * Enrols a bridge. `tokenHash`: of the token that it presented; null if that is the deployment's own token. `refused`: the
   * token is not valid, or was used by another bridge. `taken`: a bridge with this id was enrolled with another token, and
   * only that bridge gets its credential. A repeat with the same token gets the same `generation`, so a lost response costs no
   * token.
   */
  letIn(bridgeId: string, tokenHash: string | null): LetIn {
    const credentials = this.parts.credentials;
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
    if (this.parts.credentials.isRevoked(bridgeId)) return true;
    const current = this.parts.credentials.generationOf(bridgeId);
    return generation !== undefined && current !== null && generation !== current;
  }

  /** Only the WebSocket upgrade of a bridge, which the Worker has authenticated as `bridge`. */
  override fetch(request: Request): Response {
    const bridgeId = new URL(request.url).searchParams.get('bridge');
    if (request.headers.get('Upgrade') !== 'websocket' || bridgeId === null)
      return new Response(null, { status: 400 });
    const response = this.parts.links.accept(bridgeId, Date.now());
    this.timers.arm();
    return response;
  }

  override webSocketMessage(socket: WebSocket, data: string | ArrayBuffer): void {
    const frame = parseFrame(data);
    const bridgeId = this.parts.links.bridgeOf(socket);
    if (frame?.type === 'bridge.hello') {
      if (frame.bridgeId !== this.parts.links.provenBridgeOf(socket))
        socket.close(linkCloseCodes.protocolError, 'the token is of another bridge');
      else if (isSpokenVersion(frame.version)) this.#welcome(socket, frame);
      else this.#refuseVersion(socket, frame);
    } else if (frame?.type === 'bridge.draining' && bridgeId) {
      this.parts.bridges.noteDraining(bridgeId);
      log('bridge.draining', { bridgeId });
    } else if (frame?.type === 'bridge.status' && bridgeId) {
      this.parts.bridges.noteStatus(bridgeId, frame.residentBytes, frame.counts ?? null);
      this.parts.counts.store(Date.now());
      this.parts.grants.renew(bridgeId, () => this.parts.leases.heldBy(bridgeId), Date.now());
    } else if (frame?.type === 'lease.released' && bridgeId) {
      const { numberId, epoch } = frame;
      this.ctx.storage.transactionSync(() => this.parts.leases.released(numberId, bridgeId, epoch));
      this.place();
      this.timers.arm();
    } else {
      socket.close(
        linkCloseCodes.protocolError,
        bridgeId ? 'no frame of this protocol' : 'hello comes first',
      );
    }
  }

  override webSocketClose(socket: WebSocket): void {
    this.noteLost(socket);
  }

  override webSocketError(socket: WebSocket): void {
    this.noteLost(socket);
  }

  /** In this order: from the welcome on the bridge's pings keep its leases, so it must know before which ones it has. */
  #welcome(socket: WebSocket, hello: Extract<ControlUpFrame, { type: 'bridge.hello' }>): void {
    const { bridgeId } = hello;
    // A bridge that claims to have room for everybody would be given everybody.
    const capacity = Math.min(hello.capacity, settingsOf(this.env).BRIDGE_CAPACITY_MAX);
    const earlier = this.parts.links.socketOf(bridgeId);
    if (earlier !== socket) earlier?.close(linkCloseCodes.replaced, 'a newer control link took over');
    const leaseMs = settingsOf(this.env).BRIDGE_LEASE_MS;
    this.parts.links.identify(socket, { bridgeId, version: hello.version, leaseMs });
    this.parts.bridges.linked(hello, capacity, Date.now());
    const held = this.parts.leases.heldBy(bridgeId);
    for (const { numberId, epoch } of hello.leases) {
      const stillHeld = held.some((lease) => lease.number_id === numberId && lease.epoch === epoch);
      if (stillHeld) continue;
      const known = this.parts.leases.find(numberId);
      // Nobody has it since: it has all the time that a bridge ever has.
      const isRevoked =
        known?.epoch === epoch &&
        known.bridge_id === null &&
        this.parts.leases.wasHeld(numberId, bridgeId, epoch);
      if (isRevoked) this.parts.leases.holdBack(numberId, Date.now() + revokedForMs);
      sendTo(socket, { type: isRevoked ? 'lease.revoked' : 'lease.expired', numberId, epoch });
      this.#recover(numberId, epoch);
    }
    this.parts.grants.tellAll(bridgeId, held, Date.now());
    sendTo(socket, { type: 'bridge.welcome', version: hello.version, ...(leaseMs && { leaseMs }) });
    log('bridge.linked', { bridgeId, version: hello.version, capacity, leases: held.length });
    this.place();
    this.parts.losses.changed();
    this.timers.arm();
  }

  /**
   * A bridge has named an unknown lease. Epochs come only from here, so the lease was forgotten, and the number may be without
   * a bridge and not know it. The number itself then says what it needs, by {@link BridgeFleet.acquire}.
   */
  #recover(numberId: string, epoch: number): void {
    const known = this.parts.leases.find(numberId)?.epoch ?? 0;
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
}
