import { type SchemaImage, Sqlite } from './sqlite.ts';
import type { HostedSocket, SocketHost } from './web-sockets.ts';

/** The clock of the machine, whatever a test makes of `Date`. */
export const realNow = () => performance.timeOrigin + performance.now();

/** An alarm that a stopped clock lets ring again and again leaves time for others. */
const alarmMsMin = 10;

/** What the platform keeps of an object over its lives: its SQLite, its values by key, its alarm. */
export class ObjectStorage {
  readonly sql: Sqlite;
  /** Its hibernating sockets. */
  readonly sockets: HostedSocket[] = [];
  socketHost: SocketHost | null = null;
  autoResponsePair: { request: string; response: string } | null = null;
  readonly #values = new Map<string, unknown>();
  readonly #ring: () => void;
  #alarmAt: number | null = null;
  #isDiscarded = false;
  #timer: NodeJS.Timeout | undefined;

  /** `schema`: of the object's class. */
  constructor(ring: () => void, schema: SchemaImage | null = null) {
    this.#ring = ring;
    this.sql = new Sqlite(schema);
    this.transactionSync = this.sql.transactionSync;
  }

  readonly transactionSync: Sqlite['transactionSync'];

  readonly kv = {
    get: (key: string) => structuredClone(this.#values.get(key)),
    put: (key: string, value: unknown) => void this.#values.set(key, structuredClone(value)),
    delete: (key: string) => this.#values.delete(key),
    list: () => structuredClone(this.#values),
  };
  readonly get = async (key: string) => this.kv.get(key);
  readonly put = async (key: string, value: unknown) => this.kv.put(key, value);

  async getAlarm(): Promise<number | null> {
    return this.#alarmAt;
  }

  async setAlarm(at: number): Promise<void> {
    if (this.#isDiscarded) return;
    this.#alarmAt = at;
    clearTimeout(this.#timer);
    this.#timer = realSetTimeout(this.#ring, Math.min(Math.max(alarmMsMin, at - realNow()), 2 ** 31 - 1));
    this.#timer.unref();
  }

  async deleteAlarm(): Promise<void> {
    this.takeAlarm();
  }

  async deleteAll(): Promise<void> {
    this.sql.clear();
    this.#values.clear();
    this.takeAlarm();
  }

  readonly autoResponse = (data: unknown): string | null =>
    data === this.autoResponsePair?.request ? (this.autoResponsePair?.response ?? null) : null;

  readonly forget = (socket: HostedSocket): void => {
    const at = this.sockets.indexOf(socket);
    if (at >= 0) this.sockets.splice(at, 1);
  };

  /** What its object was still doing rings no alarm any more: it would ring among the tests of the next file. */
  discard(): void {
    this.#isDiscarded = true;
    this.takeAlarm();
    this.sockets.length = 0;
  }

  /** Whether there was one. */
  takeAlarm(): boolean {
    clearTimeout(this.#timer);
    const wasSet = this.#alarmAt !== null;
    this.#alarmAt = null;
    return wasSet;
  }
}

const realSetTimeout = setTimeout;

/** The `ctx` of one life of an object. */
export function objectState(name: string, storage: ObjectStorage, exports: object) {
  let open: Promise<unknown> = Promise.resolve();
  let works = 0;
  let restsSince = realNow();
  /** The object is at work until this has ended. */
  const during = async <Result>(work: Promise<Result>): Promise<Result> => {
    works += 1;
    try {
      return await work;
    } finally {
      works -= 1;
      restsSince = realNow();
    }
  };
  return {
    id: { name, toString: () => name },
    storage,
    exports,
    blockConcurrencyWhile: <Result>(work: () => Promise<Result>): Promise<Result> => {
      const done = work();
      open = done.catch(() => {});
      return done;
    },
    waitUntil: (work: Promise<unknown>) => void during(work).catch(() => {}),
    acceptWebSocket: (socket: HostedSocket) => {
      storage.sockets.push(socket);
      socket.accept(storage.socketHost);
    },
    getWebSockets: () => storage.sockets,
    setWebSocketAutoResponse: (pair: { request: string; response: string }) => {
      storage.autoResponsePair = pair;
    },
    getWebSocketAutoResponseTimestamp: (socket: HostedSocket) => socket.autoRespondedAt,
    /** Calls wait until the constructor has done what it began. */
    opened: () => open,
    during,
    /** For how long nothing has been under way. */
    restedMs: () => (works > 0 ? 0 : realNow() - restsSince),
  };
}
