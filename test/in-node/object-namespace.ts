import { ObjectStorage, objectState, realNow } from './object-state.ts';
import { SchemaImage } from './sqlite.ts';

// biome-ignore lint/suspicious/noExplicitAny: an object of any class
type Instance = any;
// biome-ignore lint/suspicious/noExplicitAny: as the runtime makes it
type ObjectClass = new (ctx: any, env: any) => Instance;

export type LoadClass = () => Promise<ObjectClass>;

interface Life {
  instance: Instance;
  state: ReturnType<typeof objectState>;
}

/** After so much rest an object is evicted: what it has gathered for a few milliseconds is stored by then. */
const restMs = 10;
/** An eviction waits no longer. What is still under way then goes on without its object. */
const evictionMsMax = 1_000;

/** The turns of the machine, whatever a test makes of them. */
const { setImmediate: soon } = globalThis;
const turn = () => new Promise<void>((resolve) => void soon(resolve));

/** One object over its lives, as a stub sees it. */
export class HostedObject {
  readonly #load: LoadClass;
  readonly #name: string;
  readonly #env: object;
  readonly #exports: object;
  readonly #storage: ObjectStorage;
  #life: Life | null = null;

  constructor(load: LoadClass, name: string, env: object, exports: object, schema: SchemaImage) {
    this.#load = load;
    this.#name = name;
    this.#env = env;
    this.#exports = exports;
    this.#storage = new ObjectStorage(() => void this.ring().catch(() => {}), schema);
    this.#storage.socketHost = {
      autoResponse: (data) => this.#storage.autoResponse(data),
      message: (socket, data) => void this.#work((instance) => instance.webSocketMessage(socket, data)),
      close: (socket, code, reason) => {
        this.#storage.forget(socket);
        void this.#work((instance) => instance.webSocketClose?.(socket, code, reason, true));
      },
    };
  }

  async life(): Promise<Life> {
    const ObjectOfClass = await this.#load();
    if (this.#life === null) {
      const state = objectState(this.#name, this.#storage, this.#exports);
      this.#life = { state, instance: new ObjectOfClass(state, this.#env) };
    }
    const life = this.#life;
    await life.state.opened();
    return life;
  }

  async #work<Result>(work: (instance: Instance) => Result | Promise<Result>): Promise<Result> {
    const { state, instance } = await this.life();
    return state.during((async () => work(instance))());
  }

  /** As the platform does it: when nothing is under way. What is in memory is gone; what is stored is there in the next life. */
  async evict(): Promise<void> {
    const life = this.#life;
    const latest = realNow() + evictionMsMax;
    while (life !== null && life.state.restedMs() < restMs && realNow() < latest) await turn();
    if (this.#life === life) this.abort();
  }

  /** At once, whatever is under way. */
  abort(): void {
    this.#life = null;
  }

  /** Rings the alarm now, if one is set. */
  ring(): Promise<boolean> {
    return this.#work(async (instance) => {
      if (!this.#storage.takeAlarm()) return false;
      await instance.alarm();
      return true;
    });
  }

  /** Arguments and answers are copied, as they are between objects. A request and its answer are passed on. */
  async call(verb: string, parameters: unknown[]): Promise<unknown> {
    const copies = verb === 'fetch' ? parameters : structuredClone(parameters);
    return this.#work(async (instance) => {
      if (typeof instance[verb] !== 'function') throw new TypeError(`The object has no "${verb}"`);
      if (verb === 'fetch') return instance.fetch(new Request(...(copies as [RequestInfo, RequestInit?])));
      return structuredClone(await instance[verb](...copies));
    });
  }

  /** As if it had never been: its alarm does not ring any more, and its sockets are gone. */
  discard(): void {
    this.abort();
    this.#storage.discard();
  }
}

const hosted = new WeakMap<object, HostedObject>();

/** The object behind a stub. */
export function hostOf(stub: object): HostedObject {
  const host = hosted.get(stub);
  if (host === undefined) throw new Error('This is no stub of an object');
  return host;
}

/** A binding of a class of objects. */
export class ObjectNamespace {
  readonly #stubs = new Map<string, object>();
  readonly #hosts = new Set<HostedObject>();
  readonly #make: (name: string) => HostedObject;

  constructor(make: (name: string, schema: SchemaImage) => HostedObject) {
    const schema = new SchemaImage();
    this.#make = (name) => make(name, schema);
  }

  getByName(name: string): object {
    const known = this.#stubs.get(name);
    if (known !== undefined) return known;
    const host = this.#make(name);
    const stub = new Proxy(
      {},
      {
        get: (_, verb) =>
          // A stub that is awaited is itself.
          typeof verb === 'symbol' || verb === 'then'
            ? undefined
            : verb === 'name'
              ? name
              : (...parameters: unknown[]) => host.call(verb, parameters),
      },
    );
    hosted.set(stub, host);
    this.#hosts.add(host);
    this.#stubs.set(name, stub);
    return stub;
  }

  /** What is in their memory is gone. */
  async evictAll(): Promise<void> {
    await Promise.all([...this.#hosts].map((host) => host.evict()));
  }

  abortAll(): void {
    for (const host of this.#hosts) host.abort();
  }

  clear(): void {
    for (const host of this.#hosts) host.discard();
    this.#hosts.clear();
    this.#stubs.clear();
  }

  idFromName(name: string) {
    return { name, toString: () => name };
  }

  get({ name }: { name: string }): object {
    return this.getByName(name);
  }
}
