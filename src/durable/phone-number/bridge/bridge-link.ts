import {
  frameBytesMax,
  grantHeader,
  isSpokenVersion,
  linkCloseCodes,
  type NumberDownFrame,
  type NumberUpFrame,
  numberUpFrameSchema,
  seqOfInvalidFact,
  versionRefusal,
} from '../../../contract/bridge/bridge-frames.ts';
import { parsedWithoutNul } from '../../../contract/texts/text.ts';
import { isGoodGrant } from '../../bridge-grants.ts';
import type { DeviceStore } from '../device/device-store.ts';
import type { NumberState } from '../number-state.ts';

/** Who asks, as the Worker has proven it, and with what. */
interface LinkRequest {
  bridgeId: string;
  epoch: number;
  /** What the fleet has signed for the bridge; null where the Worker has asked the fleet instead. */
  grant: string | null;
  /** What the fleet has answered to the Worker. */
  standing: 'drive' | 'report' | null;
}

/** `not believed`: the fleet can still tell. `over`: another bridge has had the number since. */
export type Admission = 'drive' | 'report' | 'not believed' | 'over';

/** Bridges that are remembered as revoked. Grants of any before them have run out, or have an epoch that is over. */
const revokedMax = 8;

/**
 * What a bridge may do with the number. A grant is checked here, without the fleet: it is signed, it names this number, the
 * bridge and the epoch, and it expires. A grant does not show that its lease has ended early. So the number also refuses a
 * grant with an older epoch than it has seen, and one of a bridge that was revoked.
 */
export class LinkAdmission {
  readonly #env: Env;
  readonly #device: DeviceStore;
  readonly #state: NumberState;

  constructor(env: Env, device: DeviceStore, state: NumberState) {
    this.#env = env;
    this.#device = device;
    this.#state = state;
  }

  /** For a number that is there. */
  admit({ bridgeId, epoch, grant, standing }: LinkRequest, now: number): Admission {
    const { numberId, epoch: newest } = this.#device.known;
    if (grant === null) return standing === 'drive' && epoch >= newest ? 'drive' : 'report';
    const isGood =
      isGoodGrant(this.#env, { numberId, bridgeId, epoch }, grant, now) && !this.#revoked.includes(bridgeId);
    if (!isGood) return 'not believed';
    return epoch < newest ? 'over' : 'drive';
  }

  /** No grant of this bridge counts any more. */
  revoke(bridgeId: string): void {
    if (this.#revoked.includes(bridgeId)) return;
    this.#state.put('revokedBridges', [...this.#revoked, bridgeId].slice(-revokedMax));
  }

  get #revoked(): string[] {
    return this.#state.get<string[]>('revokedBridges') ?? [];
  }
}

/** What an upgrade asks for; null where it is none that the Worker has let through. */
export function linkRequestOf(request: Request): LinkRequest | null {
  const { searchParams } = new URL(request.url);
  const epoch = Number(searchParams.get('epoch'));
  const bridgeId = searchParams.get('bridge');
  const asked = searchParams.get('standing');
  const standing = asked === 'drive' || asked === 'report' ? asked : null;
  const grant = standing === null ? request.headers.get(grantHeader) : null;
  const isUpgrade = request.headers.get('Upgrade') === 'websocket';
  if (!isUpgrade || bridgeId === null || !Number.isSafeInteger(epoch) || epoch < 1) return null;
  return standing === null && grant === null ? null : { bridgeId, epoch, grant, standing };
}

/** Who is at the other end; kept in the socket's attachment, so that it survives hibernation. */
interface LinkIdentity {
  epoch: number;
  /** To whom the fleet has given the lease. */
  leasedTo: string;
  /** Known after the first frame. */
  bridgeId: string | null;
  /** Of the protocol, as both speak it over this link; known after the first frame. */
  version: number | null;
  /** Since when the bridge has caught up and takes work: after all that was handed over before; milliseconds since 1970. */
  readyAt: number | null;
  /** Which link it is, of all that ever took work; another one each time that it is ready. Empty before. */
  linkId: string;
  /** The lease is another bridge's by now: this one only says what it still has to say. */
  isReportOnly: boolean;
  /** When the link was opened; milliseconds since 1970. */
  openedAt: number;
}

/** A bridge says `ping` at least every 30 s: one that has been silent for so long is gone, whatever its socket says. */
const silentMs = 90_000;

/** The hibernating WebSockets to bridges: at most one that drives this number, and those of earlier leases. */
export class BridgeLink {
  readonly #ctx: DurableObjectState;

  constructor(ctx: DurableObjectState) {
    this.#ctx = ctx;
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair('ping', 'pong'));
  }

  /** Takes a bridge's upgrade request; an earlier link of the same kind is closed, since the newer one knows better. */
  accept({
    leasedTo,
    epoch,
    isReportOnly,
  }: Pick<LinkIdentity, 'leasedTo' | 'epoch' | 'isReportOnly'>): Response {
    for (const earlier of this.#sockets(isReportOnly)) {
      if (identityOf(earlier).epoch === epoch)
        earlier.close(linkCloseCodes.replaced, 'a newer link took over');
      else if (!isReportOnly) earlier.close(linkCloseCodes.staleEpoch, 'the lease is over');
    }
    const { 0: client, 1: server } = new WebSocketPair();
    this.#ctx.acceptWebSocket(server);
    const openedAt = Date.now();
    identify(server, {
      epoch,
      leasedTo,
      bridgeId: null,
      version: null,
      readyAt: null,
      linkId: '',
      isReportOnly,
      openedAt,
    });
    return new Response(null, { status: 101, webSocket: client });
  }

  /** The socket of the bridge that drives the number, whether or not it has caught up. */
  get socket(): WebSocket | null {
    return this.#sockets(false)[0] ?? null;
  }

  /** The identity of a link that takes work; null when there is none. */
  get ready(): (LinkIdentity & { bridgeId: string; readyAt: number }) | null {
    const identity = this.socket && identityOf(this.socket);
    if (!identity || identity.bridgeId === null || identity.readyAt === null) return null;
    return { ...identity, bridgeId: identity.bridgeId, readyAt: identity.readyAt };
  }

  /** Closes a link whose bridge has not been heard of for long; whether there was one. */
  closeSilent(now: number): boolean {
    const { socket } = this;
    if (!socket) return false;
    const heardAt = this.#ctx.getWebSocketAutoResponseTimestamp(socket)?.getTime() ?? 0;
    if (now - Math.max(heardAt, identityOf(socket).openedAt) < silentMs) return false;
    socket.close(linkCloseCodes.replaced, 'nothing was heard of the bridge');
    return true;
  }

  /** Sends a frame over the link in use; what is lost with a breaking link is sent again over the next. */
  send(frame: NumberDownFrame): void {
    const socket = this.socket;
    if (socket) sendTo(socket, frame);
  }

  /** Closes every link of this bridge, which has no right to any. */
  closeOf(bridgeId: string): void {
    for (const socket of this.#ctx.getWebSockets())
      if (identityOf(socket).leasedTo === bridgeId) socket.close(linkCloseCodes.revoked, 'revoked');
  }

  /** Closes all links. */
  close(code: number, reason: string): void {
    for (const socket of this.#ctx.getWebSockets()) socket.close(code, reason);
  }

  #sockets(isReportOnly: boolean): WebSocket[] {
    return this.#ctx
      .getWebSockets()
      .filter(
        (socket) => socket.readyState === WebSocket.OPEN && identityOf(socket).isReportOnly === isReportOnly,
      );
  }
}

/** The answer to an upgrade that ends at once, and says why: the status of one that is refused says less. */
export function closedLink(code: number, reason: string): Response {
  const { 0: client, 1: server } = new WebSocketPair();
  server.accept();
  server.close(code, reason);
  return new Response(null, { status: 101, webSocket: client });
}

export function sendTo(socket: WebSocket, frame: NumberDownFrame): void {
  if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame));
}

export function identify(socket: WebSocket, identity: LinkIdentity): void {
  socket.serializeAttachment(identity);
}

export function identityOf(socket: WebSocket): LinkIdentity {
  return socket.deserializeAttachment() as LinkIdentity;
}

/** A text that is no frame: why, and which fact it was to be, when it was one. */
export interface NoFrame {
  error: string;
  fact: { seq: number; after: number } | null;
}

/** A frame from a bridge, or why it is none. */
export function parseUpFrame(data: string | ArrayBuffer, identity: LinkIdentity): NumberUpFrame | NoFrame {
  const none = (error: string): NoFrame => ({ error, fact: null });
  if (typeof data !== 'string') return none('frames are text');
  if (data.length > frameBytesMax) return none(`a frame has at most ${frameBytesMax} bytes`);
  let json: unknown;
  try {
    // What people write comes in here, whoever it is for: texts, names, subjects.
    json = parsedWithoutNul(data);
  } catch {
    return none('a frame is JSON');
  }
  const parsed = numberUpFrameSchema.safeParse(json);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const seq = identity.bridgeId === null ? null : seqOfInvalidFact(json);
    const { after } = json as { after?: unknown };
    return {
      error: `${issue?.path.join('.')}: ${issue?.message}`.slice(0, 100),
      fact: seq === null ? null : { seq, after: Number(after) },
    };
  }
  if (parsed.data.type !== 'link.hello' && identity.bridgeId === null) return none('hello comes first');
  if (parsed.data.type === 'link.hello' && !isSpokenVersion(parsed.data.version)) {
    return none(versionRefusal(parsed.data.version));
  }
  if (parsed.data.type === 'link.hello' && parsed.data.bridgeId !== identity.leasedTo) {
    return none('the lease is of another bridge');
  }
  return parsed.data;
}
