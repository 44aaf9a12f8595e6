import {
  bridgeProtocolVersion,
  frameBytesMax,
  linkCloseCodes,
  type NumberDownFrame,
  type NumberUpFrame,
  numberUpFrameSchema,
} from '../../contract/bridge-frames.ts';

/** Who is at the other end; kept in the socket's attachment, so that it survives hibernation. */
export interface LinkIdentity {
  epoch: number;
  /** Known after the first frame. */
  bridgeId: string | null;
  /** Since when the bridge has caught up and takes work; milliseconds since 1970. */
  readyAt: number | null;
}

/** What else the attachment keeps: it is as durable as hibernation asks for, and no row. */
interface Attachment extends LinkIdentity {
  /** See `MessageEvents`; absent: nothing was noted over this link. */
  confirmedBefore?: number;
}

/** The hibernating WebSocket to the bridge that drives this number: at most one at a time. */
export class BridgeLink {
  readonly #ctx: DurableObjectState;

  constructor(ctx: DurableObjectState) {
    this.#ctx = ctx;
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair('ping', 'pong'));
  }

  /** Takes a bridge's upgrade request; an earlier link is closed, since the newer one knows better. */
  accept(epoch: number): Response {
    for (const earlier of this.#ctx.getWebSockets())
      earlier.close(linkCloseCodes.replaced, 'a newer link took over');
    const { 0: client, 1: server } = new WebSocketPair();
    this.#ctx.acceptWebSocket(server);
    identify(server, { epoch, bridgeId: null, readyAt: null });
    return new Response(null, { status: 101, webSocket: client });
  }

  /** The socket in use, whether or not it has caught up. */
  get socket(): WebSocket | null {
    return this.#ctx.getWebSockets().find((socket) => socket.readyState === WebSocket.OPEN) ?? null;
  }

  /** The identity of a link that takes work; null when there is none. */
  get ready(): (LinkIdentity & { bridgeId: string; readyAt: number }) | null {
    const identity = this.socket && identityOf(this.socket);
    if (!identity || identity.bridgeId === null || identity.readyAt === null) return null;
    return { ...identity, bridgeId: identity.bridgeId, readyAt: identity.readyAt };
  }

  /** The latest that was noted over the link in use; 0 when nothing was. */
  get confirmedBefore(): number {
    const { socket } = this;
    return (socket && attachmentOf(socket).confirmedBefore) ?? 0;
  }

  /** Keeps a mark of how far events are confirmed for as long as the link stays; false without a link. */
  noteConfirmed(before: number): boolean {
    const { socket } = this;
    socket?.serializeAttachment({ ...attachmentOf(socket), confirmedBefore: before } satisfies Attachment);
    return socket !== null;
  }

  /** Sends a frame over the link in use; what is lost with a breaking link is sent again over the next. */
  send(frame: NumberDownFrame): void {
    const socket = this.socket;
    if (socket) sendTo(socket, frame);
  }

  close(code: number, reason: string): void {
    this.socket?.close(code, reason);
  }
}

export function sendTo(socket: WebSocket, frame: NumberDownFrame): void {
  if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame));
}

export function identify(socket: WebSocket, identity: LinkIdentity): void {
  socket.serializeAttachment({ ...attachmentOf(socket), ...identity } satisfies Attachment);
}

export function identityOf(socket: WebSocket): LinkIdentity {
  return attachmentOf(socket);
}

const attachmentOf = (socket: WebSocket) => socket.deserializeAttachment() as Attachment;

/** A frame from a bridge, or the reason why it is none. */
export function parseUpFrame(
  data: string | ArrayBuffer,
  identity: LinkIdentity,
): NumberUpFrame | { error: string } {
  if (typeof data !== 'string') return { error: 'frames are text' };
  if (data.length > frameBytesMax) return { error: `a frame has at most ${frameBytesMax} bytes` };
  let json: unknown;
  try {
    json = JSON.parse(data);
  } catch {
    return { error: 'a frame is JSON' };
  }
  const parsed = numberUpFrameSchema.safeParse(json);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return { error: `${issue?.path.join('.')}: ${issue?.message}`.slice(0, 100) };
  }
  if (parsed.data.type !== 'link.hello' && identity.bridgeId === null) return { error: 'hello comes first' };
  if (parsed.data.type === 'link.hello' && parsed.data.version !== bridgeProtocolVersion) {
    return { error: `this edge speaks version ${bridgeProtocolVersion}, the bridge ${parsed.data.version}` };
  }
  return parsed.data;
}
