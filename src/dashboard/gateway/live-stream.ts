import { CursorExpiredError, type LiveConversationEvent } from '../../sdk/index.ts';
import { Store } from './store.ts';

/** `connecting` at first; `lost` with the time since when nothing has been heard. */
type Connection = { state: 'connecting' | 'open' } | { state: 'lost'; since: Date };

type Listener = (event: LiveConversationEvent) => void;

/** Where events come from. `after` is null where no place is known: then it begins with what happens from now on. */
export type Source = (
  after: string | null,
  signal: AbortSignal,
  onOpen: () => void,
) => AsyncIterable<LiveConversationEvent>;

interface Parts {
  source: Source;
  /** Asks where a stream is to begin. Left out: where it stands when it is open. */
  place?: (signal: AbortSignal) => Promise<string>;
  /** Nobody is there any more who could follow. */
  isOver: () => boolean;
  /** Says `online` when the network is back. */
  network: EventTarget;
}

const firstWaitMs = 500;
const waitMsMax = 8_000;
/** A connection that comes back at once (the gateway ends each after a while) is nothing to tell. */
const toldAfterMs = 2_000;
/** What is asked for waits so long at most for the stream to have its place. */
const placedWithinMs = 1_000;

/** From the first wish to follow until nobody follows any more. */
interface Following {
  controller: AbortController;
  isRunning: boolean;
  place: Promise<string> | null;
  /** Where it begins is known, or could not be had. */
  placed: PromiseWithResolvers<void>;
  isPlaced: boolean;
  /** Something was asked for before that: its answer may be older than the place. */
  wasAskedBefore: boolean;
}

/** Events as they happen, over one connection of this tab, resumed where it broke: none is left out. */
export class Live {
  readonly #parts: Parts;
  readonly connection = new Store<Connection>({ state: 'connecting' });
  readonly #listeners = new Set<Listener>();
  /** Called when events may have been missed: everything that is shown is asked for anew. */
  readonly #onGap = new Set<() => void>();
  /** Called when it goes on where it broke: no event was missed, but what no event tells may have been. */
  readonly #onReturn = new Set<() => void>();
  #following: Following | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Asks early where it is to begin, so that the page that is on its way waits less. */
  prepare(): void {
    const following = this.#begun();
    this.#placeOf(following)?.catch(() => {});
  }

  start(): void {
    const following = this.#begun();
    if (following.isRunning) return;
    following.isRunning = true;
    void this.#run(following);
  }

  stop(): void {
    this.#following?.controller.abort();
    this.#following?.placed.resolve();
    this.#following = null;
    this.connection.set({ state: 'connecting' });
  }

  /**
   * What is asked for behind this misses nothing: the stream tells what happens from then on, and it has not to be asked for
   * once more. Where nobody follows, and where the stream takes long, it is over at once.
   */
  async placed(): Promise<void> {
    // A page that begins to follow asks in the same turn.
    await Promise.resolve();
    const following = this.#following;
    if (following === null || following.isPlaced) return;
    const { promise: isLate, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, placedWithinMs);
    await Promise.race([following.placed.promise, isLate]);
    clearTimeout(timer);
    if (!following.isPlaced) following.wasAskedBefore = true;
  }

  /** Returns what ends it. */
  onEvent(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  onGap(listener: () => void): () => void {
    this.#onGap.add(listener);
    return () => this.#onGap.delete(listener);
  }

  onReturn(listener: () => void): () => void {
    this.#onReturn.add(listener);
    return () => this.#onReturn.delete(listener);
  }

  #begun(): Following {
    this.#following ??= {
      controller: new AbortController(),
      isRunning: false,
      place: null,
      placed: Promise.withResolvers(),
      isPlaced: false,
      wasAskedBefore: false,
    };
    return this.#following;
  }

  /** The same place for every attempt to open it. Null: it has none before it is open. */
  #placeOf(following: Following): Promise<string> | null {
    const { place } = this.#parts;
    if (place === undefined || following.place !== null) return following.place;
    following.place = place(following.controller.signal);
    following.place.then(
      () => isPlaced(following),
      () => {
        following.place = null;
        following.placed.resolve();
      },
    );
    return following.place;
  }

  async #run(following: Following): Promise<void> {
    const { signal } = following.controller;
    let cursor: string | null = null;
    let isOpened = false;
    let hasGap = false;
    let failures = 0;
    let told: ReturnType<typeof setTimeout> | undefined;
    const isOpen = () => {
      failures = 0;
      clearTimeout(told);
      told = undefined;
      this.connection.set({ state: 'open' });
      isPlaced(following);
      if (hasGap || following.wasAskedBefore) call(this.#onGap);
      else if (isOpened) call(this.#onReturn);
      isOpened = true;
      following.wasAskedBefore = false;
      // Without a place nobody can say later where it has to go on.
      hasGap = cursor === null;
    };
    while (!signal.aborted) {
      try {
        cursor ??= await this.#placeOf(following);
        for await (const event of this.#parts.source(cursor, signal, isOpen)) {
          cursor = event.cursor;
          hasGap = false;
          for (const listener of this.#listeners) listener(event);
        }
      } catch (error) {
        if (signal.aborted) break;
        if (error instanceof CursorExpiredError) {
          cursor = null;
          following.place = null;
          hasGap = true;
        }
        failures += 1;
        following.placed.resolve();
      }
      if (this.#parts.isOver()) break;
      const since = new Date();
      told ??= setTimeout(() => this.connection.set({ state: 'lost', since }), toldAfterMs);
      await pause(failures, signal, this.#parts.network);
    }
    clearTimeout(told);
  }
}

function isPlaced(following: Following): void {
  following.isPlaced = true;
  following.placed.resolve();
}

function call(listeners: ReadonlySet<() => void>): void {
  for (const listener of listeners) listener();
}

/** A random part of a wait that doubles; less when the browser says that the network is back. */
function pause(failures: number, signal: AbortSignal, network: EventTarget): Promise<void> {
  const ms = failures === 0 ? 0 : Math.min(waitMsMax, firstWaitMs * 2 ** (failures - 1));
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms * (0.5 + Math.random() / 2));
    function done() {
      clearTimeout(timer);
      network.removeEventListener('online', done);
      signal.removeEventListener('abort', done);
      resolve();
    }
    network.addEventListener('online', done);
    signal.addEventListener('abort', done);
  });
}
