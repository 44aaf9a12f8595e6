import {
  type ControlDownFrame,
  type ControlUpFrame,
  controlUpFrameSchema,
  grantTimes,
  leaseTimes,
} from '../../contract/bridge/bridge-frames.ts';
import { signedGrant } from '../bridge-grants.ts';
import { earliest } from '../due-times.ts';
import type { Lease } from './lease-rows.ts';

/** Kept with the control socket, so that it survives hibernation. */
interface ControlIdentity {
  /** Whose token the upgrade bore. */
  provenBridgeId: string;
  /** Null until the bridge has said hello. */
  bridgeId: string | null;
  /** Of the protocol, as both speak it; missing until the bridge has said hello. */
  version?: number;
  /** How long its leases are valid, as its welcome has said; missing if the welcome said nothing. */
  leaseMs?: number;
  /** When the grants of all its leases were signed last; milliseconds since 1970. */
  grantsAt?: number;
  openedAt: number;
}

const goingAway = 1001;

/** The hibernating WebSockets of the bridges: one each, and those whose bridge has not said yet who it is. */
export class ControlLinks {
  readonly #ctx: DurableObjectState;

  constructor(ctx: DurableObjectState) {
    this.#ctx = ctx;
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair('ping', 'pong'));
  }

  /** Takes a bridge's upgrade request. */
  accept(provenBridgeId: string, now: number): Response {
    const { 0: client, 1: server } = new WebSocketPair();
    this.#ctx.acceptWebSocket(server);
    identify(server, { provenBridgeId, bridgeId: null, openedAt: now });
    return new Response(null, { status: 101, webSocket: client });
  }

  /** Whose token the link was opened with. */
  provenBridgeOf(socket: WebSocket): string {
    return identityOf(socket).provenBridgeId;
  }

  /** The bridge at the other end; null before it has said hello. */
  bridgeOf(socket: WebSocket): string | null {
    return identityOf(socket).bridgeId;
  }

  /** The bridge has said hello. `leaseMs`: what its welcome is going to say. */
  identify(
    socket: WebSocket,
    known: { bridgeId: string; version: number; leaseMs: number | undefined },
  ): void {
    const { leaseMs, ...identity } = { ...identityOf(socket), ...known };
    identify(socket, { ...identity, ...(leaseMs !== undefined && { leaseMs }) });
  }

  /** When the grants of all that the bridge holds were signed last; null where that is not known. */
  grantsAt(bridgeId: string): number | null {
    const socket = this.socketOf(bridgeId);
    return (socket && identityOf(socket).grantsAt) ?? null;
  }

  noteGrants(bridgeId: string, now: number): void {
    const socket = this.socketOf(bridgeId);
    if (socket) identify(socket, { ...identityOf(socket), grantsAt: now });
  }

  /** The bridges that are linked now. */
  get bridgeIds(): string[] {
    return this.#open.flatMap((socket) => identityOf(socket).bridgeId ?? []);
  }

  socketOf(bridgeId: string): WebSocket | undefined {
    return this.#open.find((socket) => identityOf(socket).bridgeId === bridgeId);
  }

  /** What a bridge without a link does not hear, it hears after its next hello. */
  send(bridgeId: string, frame: ControlDownFrame): void {
    const socket = this.socketOf(bridgeId);
    if (socket) sendTo(socket, frame);
  }

  /** When the bridge of this link was last heard of, as far as that is known. */
  heardAt(socket: WebSocket): number {
    const answeredAt = this.#ctx.getWebSocketAutoResponseTimestamp(socket)?.getTime() ?? 0;
    return Math.max(answeredAt, identityOf(socket).openedAt);
  }

  /** When a bridge of which nothing more is heard has lost its leases, by its own clock too. */
  leasesUntil(socket: WebSocket): number {
    return this.heardAt(socket) + patienceMs(socket);
  }

  /** When the first of the bridges may have been silent for too long; null without any. */
  silentAt(now: number): number | null {
    return earliest(this.#open.map((socket) => this.#silentAt(socket, now)));
  }

  /** Closes the links whose bridges have been silent for too long. */
  closeSilent(now: number): WebSocket[] {
    const silent = this.#open.filter((socket) => this.#silentAt(socket, now) <= now);
    for (const socket of silent) socket.close(goingAway, 'nothing was heard of the bridge');
    return silent;
  }

  /**
   * When a link counts as silent. A bridge pings several times while its leases hold. If no other bridge has pinged meanwhile
   * either, this side may have stood still, and nobody could take over its numbers: the link then gets the longest time that any
   * bridge gets.
   */
  #silentAt(socket: WebSocket, now: number): number {
    const [heardAt, leasesUntil] = [this.heardAt(socket), this.leasesUntil(socket)];
    const others = this.#open.filter((other) => other !== socket && identityOf(other).bridgeId !== null);
    const isMeanwhile = (other: WebSocket) => this.heardAt(other) >= (heardAt + leasesUntil) / 2;
    // Whether one is heard of meanwhile can only be said then.
    const isEarly = others.length > 0 && (leasesUntil > now || others.some(isMeanwhile));
    return isEarly ? leasesUntil : heardAt + leaseTimes.expiresMs;
  }

  get #open(): WebSocket[] {
    return this.#ctx.getWebSockets().filter((socket) => socket.readyState === WebSocket.OPEN);
  }
}

/** Null: no frame of this protocol. */
export function parseFrame(data: string | ArrayBuffer): ControlUpFrame | null {
  try {
    return controlUpFrameSchema.safeParse(JSON.parse(String(data))).data ?? null;
  } catch {
    return null;
  }
}

export function sendTo(socket: WebSocket, frame: ControlDownFrame): void {
  socket.send(JSON.stringify(frame));
}

function identify(socket: WebSocket, identity: ControlIdentity): void {
  socket.serializeAttachment(identity);
}

function identityOf(socket: WebSocket): ControlIdentity {
  return socket.deserializeAttachment() as ControlIdentity;
}

/** From the last ping of a bridge until it has no leases any more. */
function patienceMs(socket: WebSocket): number {
  const { leaseMs } = identityOf(socket);
  return leaseMs === undefined ? leaseTimes.expiresMs : leaseMs + leaseTimes.marginMs;
}

/** Leases of one frame. */
const leasesPerFrame = 1_000;

/**
 * Says to bridges which numbers they drive, each with the grant that the number believes.
 */
export class LeaseGrants {
  readonly #env: Env;
  readonly #links: ControlLinks;

  constructor(env: Env, links: ControlLinks) {
    this.#env = env;
    this.#links = links;
  }

  /** What a bridge without a link does not hear, it hears after its next hello. */
  tell(bridgeId: string, numberId: string, epoch: number, now: number): void {
    const grant = this.#sign(bridgeId, numberId, epoch, now);
    this.#links.send(bridgeId, { type: 'lease.granted', numberId, epoch, grant });
  }

  /** After a hello: all that the bridge holds. */
  tellAll(bridgeId: string, held: readonly Lease[], now: number): void {
    for (const { number_id: numberId, epoch } of held) this.tell(bridgeId, numberId, epoch, now);
    this.#links.noteGrants(bridgeId, now);
  }

  /** New grants for all leases of the bridge, if it is time. Grants that it got meanwhile are newer. */
  renew(bridgeId: string, held: () => readonly Lease[], now: number): void {
    const grantedAt = this.#links.grantsAt(bridgeId);
    const isDue = grantedAt === null || now - grantedAt >= grantTimes.renewEveryMs;
    if (!isDue) return;
    const leases = held().map(({ number_id: numberId, epoch }) => ({
      numberId,
      epoch,
      grant: this.#sign(bridgeId, numberId, epoch, now),
    }));
    for (let first = 0; first < leases.length; first += leasesPerFrame) {
      const part = leases.slice(first, first + leasesPerFrame);
      this.#links.send(bridgeId, { type: 'leases.renewed', leases: part });
    }
    this.#links.noteGrants(bridgeId, now);
  }

  #sign(bridgeId: string, numberId: string, epoch: number, now: number): string {
    return signedGrant(this.#env, { bridgeId, numberId, epoch }, now);
  }
}
