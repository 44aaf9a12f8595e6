interface Target {
  title: string;
  webSocketDebuggerUrl: string;
}

/** What an isolate holds, in bytes: its heap, what hangs on it outside of it, and its buffers. */
interface HeapUsage {
  usedSize: number;
  embedderHeapUsedSize?: number;
  backingStorageSize?: number;
}

/** A busy isolate collects within this time. One that has nothing to do collects nothing, and does not answer that either. */
const collectWithinMs = 20_000;
/** An isolate with less than this counts as it is: the stand-ins that nobody uses have up to 5 MiB. */
const collectedFromBytes = 8 * 2 ** 20;

/** One isolate, by the inspector of its process. */
class IsolateInspector {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>();
  #lastId = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => {
      const { id, result, error } = JSON.parse(String(data));
      if (error) this.#waiting.get(id)?.reject(new Error(error.message));
      else this.#waiting.get(id)?.resolve(result);
      this.#waiting.delete(id);
    });
    socket.addEventListener('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('The inspector hung up.'));
    });
  }

  static async open(url: string): Promise<IsolateInspector> {
    const socket = new WebSocket(url);
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener('open', () => resolve(), { once: true });
      socket.addEventListener('error', () => reject(new Error(`No inspector at ${url}.`)), { once: true });
    });
    return new IsolateInspector(socket);
  }

  call<Result>(method: string): Promise<Result> {
    this.#lastId += 1;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#waiting.set(this.#lastId, { resolve, reject });
    this.#socket.send(JSON.stringify({ id: this.#lastId, method }));
    return promise as Promise<Result>;
  }

  close(): void {
    // Whoever still waits has given up.
    this.#waiting.clear();
    this.#socket.close();
  }
}

/**
 * What the isolates of a process hold after a forced collection, by their names, in bytes; small ones as they are.
 * Rejects when one does not collect in time: what it holds is not known then.
 */
export const liveBytes = (inspectorPort: number): Promise<Map<string, number>> =>
  heldBytes(inspectorPort, collectedFromBytes);

/** The same without a collection: what nobody has collected yet counts too, so it is at least what is held. */
export const usedBytes = (inspectorPort: number): Promise<Map<string, number>> =>
  heldBytes(inspectorPort, Number.POSITIVE_INFINITY);

async function heldBytes(inspectorPort: number, collectedFrom: number): Promise<Map<string, number>> {
  const listed = await fetch(`http://127.0.0.1:${inspectorPort}/json/list`);
  const targets = (await listed.json()) as Target[];
  const live = new Map<string, number>();
  // One after the other: they share a processor with what they serve.
  for (const { title, webSocketDebuggerUrl } of targets) {
    const isolate = await IsolateInspector.open(webSocketDebuggerUrl);
    try {
      let bytes = bytesOf(await isolate.call('Runtime.getHeapUsage'));
      if (bytes >= collectedFrom) {
        await before(collectWithinMs, isolate.call('HeapProfiler.collectGarbage'));
        bytes = bytesOf(await isolate.call('Runtime.getHeapUsage'));
      }
      live.set(title, bytes);
    } finally {
      isolate.close();
    }
  }
  return live;
}

const bytesOf = ({ usedSize, embedderHeapUsedSize = 0, backingStorageSize = 0 }: HeapUsage) =>
  usedSize + embedderHeapUsedSize + backingStorageSize;

async function before(ms: number, work: Promise<unknown>): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('The isolate does not collect.')), ms);
  await Promise.race([work, promise]).finally(() => clearTimeout(timer));
}
