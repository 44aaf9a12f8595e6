// What workerd has and Node has not, for everything that is hosted in Node. Imported before it.
import { setTimeout as wait } from 'node:timers/promises';
import { WebSocketPair } from './web-sockets.ts';

class WebSocketRequestResponsePair {
  readonly request: string;
  readonly response: string;

  constructor(request: string, response: string) {
    this.request = request;
    this.response = response;
  }
}

/** A stream that takes exactly so many bytes. */
class FixedLengthStream extends TransformStream<Uint8Array, Uint8Array> {
  constructor(bytes: number) {
    let left = bytes;
    super({
      transform(chunk, controller) {
        left -= chunk.byteLength;
        if (left < 0) throw new TypeError('Attempt to write too many bytes through a FixedLengthStream.');
        controller.enqueue(chunk);
      },
      flush() {
        if (left > 0) throw new TypeError('FixedLengthStream did not see all expected bytes before close().');
      },
    });
  }
}

/** An answer may be an upgrade, and have the client's end of a socket with it. */
class HostedResponse extends Response {
  override readonly webSocket: WebSocket | null = null;

  constructor(body?: BodyInit | null, init: ResponseInit = {}) {
    super(body, init.status === 101 ? { headers: init.headers ?? {}, status: 200 } : init);
    if (init.status === 101) Object.defineProperty(this, 'status', { value: 101 });
    if (init.webSocket) this.webSocket = init.webSocket;
  }
}

/** A body that is a stream needs no word about it. */
class HostedRequest extends Request {
  constructor(input: RequestInfo | URL, init: RequestInit = {}) {
    super(input, { duplex: 'half', ...init } as RequestInit);
  }
}

Object.assign(globalThis, {
  FixedLengthStream,
  Request: HostedRequest,
  Response: HostedResponse,
  WebSocketPair,
  WebSocketRequestResponsePair,
  scheduler: { wait: (ms: number, options?: { signal?: AbortSignal }) => wait(ms, undefined, options) },
});
