import {
  CursorExpiredError,
  type LiveConversationEvent,
  NotFoundError,
  type PresenceFrame,
} from '../../sdk/index.ts';
import { gateway } from './client.ts';
import { session } from './session.ts';
import { Store } from './store.ts';

/** `connecting` at first; `lost` with the time since when nothing has been heard. */
type Connection = { state: 'connecting' | 'open' } | { state: 'lost'; since: Date };

type Listener = (event: LiveConversationEvent) => void;

/**
 * Where events come from. `after` is null at the first time, and when events may have been missed; `onOpen` takes the cursor
 * that it begins behind, where that is known.
 */
type Source = (
  after: string | null,
  signal: AbortSignal,
  onOpen: (from?: string) => void,
) => AsyncIterable<LiveConversationEvent>;

const firstWaitMs = 500;
const waitMsMax = 8_000;
/** A connection that comes back at once (the gateway ends each after a while) is nothing to tell. */
const toldAfterMs = 2_000;

/** Events as they happen, over one connection of this tab, resumed where it broke: none is left out. */
class Live {
  readonly #source: Source;
  readonly connection = new Store<Connection>({ state: 'connecting' });
  readonly #listeners = new Set<Listener>();
  /** Called when events may have been missed: everything that is shown is asked for anew. */
  readonly #onGap = new Set<() => void>();
  /** Called when it goes on where it broke: no event was missed, but what no event tells may have been. */
  readonly #onReturn = new Set<() => void>();
  #running: AbortController | null = null;

  constructor(source: Source) {
    this.#source = source;
  }

  start(): void {
    if (this.#running !== null) return;
    this.#running = new AbortController();
    void this.#run(this.#running.signal);
  }

  stop(): void {
    this.#running?.abort();
    this.#running = null;
    this.connection.set({ state: 'connecting' });
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

  async #run(signal: AbortSignal): Promise<void> {
    let cursor: string | null = null;
    let failures = 0;
    let told: ReturnType<typeof setTimeout> | undefined;
    const isOpen = (from?: string) => {
      failures = 0;
      clearTimeout(told);
      told = undefined;
      this.connection.set({ state: 'open' });
      for (const listener of cursor === null ? this.#onGap : this.#onReturn) listener();
      cursor ??= from ?? null;
    };
    while (!signal.aborted) {
      try {
        for await (const event of this.#source(cursor, signal, isOpen)) {
          cursor = event.cursor;
          for (const listener of this.#listeners) listener(event);
        }
      } catch (error) {
        if (signal.aborted) break;
        if (error instanceof CursorExpiredError) cursor = null;
        failures += 1;
      }
      if (session.current.value === null) break;
      const since = new Date();
      told ??= setTimeout(() => this.connection.set({ state: 'lost', since }), toldAfterMs);
      await pause(failures, signal);
    }
    clearTimeout(told);
  }
}

/** A random part of a wait that doubles; less when the browser says that the network is back. */
function pause(failures: number, signal: AbortSignal): Promise<void> {
  const ms = failures === 0 ? 0 : Math.min(waitMsMax, firstWaitMs * 2 ** (failures - 1));
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms * (0.5 + Math.random() / 2));
    function done() {
      clearTimeout(timer);
      window.removeEventListener('online', done);
      signal.removeEventListener('abort', done);
      resolve();
    }
    window.addEventListener('online', done);
    signal.addEventListener('abort', done);
  });
}

/** Called when alerts have begun, ended or been acknowledged. */
export const alertChanges = new Set<() => void>();
const alertsChanged = () => {
  for (const listener of alertChanges) listener();
};

/** Every event of the account: for owners and admins. */
const accountEvents: Source = async function* (after, signal, onOpen) {
  const from = after ?? (await now(signal));
  const told = { onOpen: () => onOpen(from), onAlerts: alertsChanged };
  yield* gateway.events.live({ after: from, signal, ...told });
};

async function now(signal: AbortSignal): Promise<string> {
  const { nextCursor } = await gateway.events.list({}, { after: 'now', limit: 1, signal, retryForMs: 0 });
  return nextCursor;
}

export const live = new Live(accountEvents);

/** Who looks at which conversation, as it is told beside the events of the inbox. */
export const presenceFrames = new Set<(frame: PresenceFrame) => void>();

/** What happens in conversations: for everybody who is signed in. */
const conversationEvents: Source = async function* (after, signal, onOpen) {
  // Without a place it would begin with the oldest event that is kept.
  const items = gateway.conversationPresence.live({ after: after ?? 'now', signal, onOpen });
  try {
    for await (const item of items) {
      if (item.kind === 'event') yield item.event;
      else for (const listener of presenceFrames) listener(item.presence);
    }
  } catch (error) {
    // A gateway that is older than this page.
    if (!(error instanceof NotFoundError)) throw error;
    yield* accountEvents(after, signal, onOpen);
  }
};

export const inboxLive = new Live(conversationEvents);
