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

/** An isolate that has nothing to do collects nothing, and does not answer that either. */
const collectWithinMs = 5_000;

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

/** What the isolates of a process hold after a forced collection, by their names, in bytes. */
export async function liveBytes(inspectorPort: number): Promise<Map<string, number>> {
  const listed = await fetch(`http://127.0.0.1:${inspectorPort}/json/list`);
  const targets = (await listed.json()) as Target[];
  const measured = targets.map(async ({ title, webSocketDebuggerUrl }) => {
    const isolate = await IsolateInspector.open(webSocketDebuggerUrl);
    try {
      await before(collectWithinMs, isolate.call('HeapProfiler.collectGarbage'));
      const usage = await isolate.call<HeapUsage>('Runtime.getHeapUsage');
      const bytes = usage.usedSize + (usage.embedderHeapUsedSize ?? 0) + (usage.backingStorageSize ?? 0);
      return [title, bytes] as const;
    } finally {
      isolate.close();
    }
  });
  return new Map(await Promise.all(measured));
}

async function before(ms: number, work: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([work, promise]).finally(() => clearTimeout(timer));
}
