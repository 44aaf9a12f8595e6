import {
  type ControlDownFrame,
  type ControlUpFrame,
  controlUpFrameSchema,
  leaseTimes,
} from '../../contract/bridge/bridge-frames.ts';

/** Kept with the control socket, so that it survives hibernation. */
interface ControlIdentity {
  /** Whose token the upgrade bore. */
  provenBridgeId: string;
  /** Null until the bridge has said hello. */
  bridgeId: string | null;
  /** Of the protocol, as both speak it; missing until the bridge has said hello. */
  version?: number;
  /** When the grants of all its leases were signed last; milliseconds since 1970. */
  grantsAt?: number;
  /** Milliseconds since 1970. */
  openedAt: number;
}

/** A bridge pings several times within that: one that has been silent for so long is gone, whatever its socket says. */
const silentMs = leaseTimes.expiresMs;
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

  /** The bridge has said hello. */
  identify(socket: WebSocket, bridgeId: string, version: number): void {
    identify(socket, { ...identityOf(socket), bridgeId, version });
  }

  versionOf(bridgeId: string): number | null {
    const socket = this.socketOf(bridgeId);
    return (socket && identityOf(socket).version) ?? null;
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

  /** When the first of the bridges will have been silent for too long; null without any. */
  silentAt(): number | null {
    const heardAt = this.#open.map((socket) => this.heardAt(socket));
    return heardAt.length > 0 ? Math.min(...heardAt) + silentMs : null;
  }

  /** Closes the links whose bridges have been silent for too long. */
  closeSilent(now: number): WebSocket[] {
    const silent = this.#open.filter((socket) => this.heardAt(socket) + silentMs <= now);
    for (const socket of silent) socket.close(goingAway, 'nothing was heard of the bridge');
    return silent;
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
