/** What an object does with a socket that it has left to the runtime (`acceptWebSocket`). */
export interface SocketHost {
  message(socket: HostedSocket, data: string | ArrayBuffer): void;
  close(socket: HostedSocket, code: number, reason: string): void;
  /** The answer to this without waking the object, where it has said one. */
  autoResponse(data: string | ArrayBuffer): string | null;
}

type Frame = { data: string | ArrayBuffer } | { code: number; reason: string };

/** One end of a `WebSocketPair`: what it sends arrives at the other end a turn later. */
export class HostedSocket extends EventTarget {
  static readonly OPEN = 1;
  static readonly CLOSING = 2;
  static readonly CLOSED = 3;
  readyState: number = HostedSocket.OPEN;
  other!: HostedSocket;
  autoRespondedAt: Date | null = null;
  /** What arrived before anybody listened. */
  #waiting: Frame[] | null = [];
  #host: SocketHost | null = null;
  #attachment: unknown = null;

  accept(host: SocketHost | null = null): void {
    this.#host = host;
    const waiting = this.#waiting ?? [];
    this.#waiting = null;
    for (const frame of waiting) this.#arrive(frame);
  }

  send(data: string | ArrayBuffer | ArrayBufferView): void {
    if (this.readyState !== HostedSocket.OPEN)
      throw new TypeError("Can't call WebSocket send() after close().");
    const copy = typeof data === 'string' ? data : (structuredClone(data) as ArrayBuffer);
    queueMicrotask(() => this.other.#take({ data: copy }));
  }

  close(code = 1005, reason = ''): void {
    if (this.readyState !== HostedSocket.OPEN) return;
    this.readyState = HostedSocket.CLOSING;
    queueMicrotask(() => this.other.#take({ code, reason }));
  }

  serializeAttachment(value: unknown): void {
    this.#attachment = structuredClone(value);
  }

  // biome-ignore lint/suspicious/noExplicitAny: as the runtime types it
  deserializeAttachment(): any {
    return structuredClone(this.#attachment);
  }

  #take(frame: Frame): void {
    if (this.#waiting === null) this.#arrive(frame);
    else this.#waiting.push(frame);
  }

  #arrive(frame: Frame): void {
    if (this.readyState === HostedSocket.CLOSED) return;
    if ('data' in frame) {
      const answer = this.#host?.autoResponse(frame.data) ?? null;
      if (answer !== null) {
        this.autoRespondedAt = new Date();
        this.send(answer);
      } else if (this.#host === null) this.dispatchEvent(new MessageEvent('message', { data: frame.data }));
      else this.#host.message(this, frame.data);
      return;
    }
    const { code, reason } = frame;
    const answers = this.readyState === HostedSocket.OPEN;
    this.readyState = HostedSocket.CLOSED;
    // The end that did not begin it says goodbye too.
    if (answers) queueMicrotask(() => this.other.#take({ code, reason }));
    if (this.#host === null) this.dispatchEvent(new CloseEvent('close', { code, reason, wasClean: true }));
    else this.#host.close(this, code, reason);
  }
}

class CloseEvent extends Event {
  readonly code: number;
  readonly reason: string;
  readonly wasClean: boolean;

  constructor(type: string, { code, reason, wasClean }: { code: number; reason: string; wasClean: boolean }) {
    super(type);
    this.code = code;
    this.reason = reason;
    this.wasClean = wasClean;
  }
}

export class WebSocketPair {
  readonly 0 = new HostedSocket();
  readonly 1 = new HostedSocket();

  constructor() {
    this[0].other = this[1];
    this[1].other = this[0];
  }
}
