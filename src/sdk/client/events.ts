import type { EventName, EventPage, StreamEvent } from './generated/api-types.ts';
import { ConnectionError } from './http/errors.ts';
import { Resource } from './http/resource.ts';
import type { CallOptions } from './http/transport.ts';

/** The gateway says something every 15 s: after this long without a word the connection is taken for dead. */
const silenceMsMax = 45_000;

/**
 * What a stream of server-sent events says, by its name (`event:`); null where it has none. Throws a
 * {@link ConnectionError} when it breaks or falls silent.
 */
export async function* framesOfStream(
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<{ name: string | null; data: unknown }, void, undefined> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await within(silenceMsMax, reader.read());
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const data = fieldOf(block, 'data');
        if (data !== null) yield { name: fieldOf(block, 'event'), data: JSON.parse(data) };
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function fieldOf(block: string, name: string): string | null {
  const line = block.split('\n').find((one) => one.startsWith(`${name}: `));
  return line === undefined ? null : line.slice(name.length + 2);
}

async function within<Value>(ms: number, value: Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    const silence = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new ConnectionError('The event stream fell silent.')), ms);
    });
    return await Promise.race([value, silence]);
  } finally {
    clearTimeout(timer);
  }
}

export interface EventFilter {
  /** Only these. */
  events?: readonly EventName[];
  /** Only those of this number. */
  numberId?: string;
}

export interface EventListOptions extends CallOptions {
  /** Behind which event to begin: its `cursor`, a `nextCursor`, or `now`. Left out: with the oldest that is kept. */
  after?: string;
  /** The last events up to this `cursor`, itself included, or up to `now`; go on backwards with `nextCursor` as `before`. */
  before?: string;
  /** Events a page, 1 to 1,000. */
  limit?: number;
  /** Seconds to wait for an event where there is none, at most 30. */
  waitSeconds?: number;
}

export interface FollowOptions extends EventFilter {
  /** As of {@link EventListOptions}. Keep the `cursor` of the last event that you are done with, and go on from there. */
  after?: string;
  /** Ends the loop: it throws the signal's reason. */
  signal?: AbortSignal;
}

export interface LiveOptions extends EventFilter {
  /** The cursor to begin behind. */
  after: string;
  /** Ends the stream: the loop throws the signal's reason. */
  signal: AbortSignal;
  /** The stream is open, and what happens from now on comes through it. */
  onOpen?: () => void;
  /** Alerts have changed since: they are told to people, and to nobody's key. */
  onAlerts?: () => void;
}

const followPageEvents = 1_000;
const followWaitSeconds = 25;
/** Beyond the wait itself. */
const answerTimeoutMs = 30_000;

/** Every event of the account, in the one order in which it happened. Takes an API key, or the token of an admin. */
export class Events extends Resource {
  /** One page, oldest first. Go on behind its `nextCursor`; with `before`, backwards. */
  list(filter: EventFilter = {}, options: EventListOptions = {}): Promise<EventPage> {
    const { after, before, limit, waitSeconds: wait, ...call } = options;
    const query = { after, before, limit, events: filter.events?.join(','), numberId: filter.numberId, wait };
    const timeoutMs = wait === undefined ? undefined : wait * 1000 + answerTimeoutMs;
    return this.ask('GET', [], { ...(timeoutMs && { timeoutMs }), ...call, query });
  }

  /**
   * All events from a place on, and then each as it happens, for as long as the loop runs. Whatever breaks the
   * connection, it goes on where it was: nothing is left out, and nothing comes twice. Throws what trying again does not
   * mend, a {@link CursorExpiredError} above all.
   */
  async *follow(options: FollowOptions = {}): AsyncGenerator<StreamEvent, void, undefined> {
    const { after, signal, ...filter } = options;
    const call = { retryForMs: Number.POSITIVE_INFINITY, ...(signal && { signal }) };
    const listed = (page: EventListOptions) =>
      this.list(filter, { ...call, ...page, limit: followPageEvents });
    // Without a wait: a first request that is lost must not take what happened meanwhile with it.
    let { data, nextCursor } = await listed(after === undefined ? {} : { after });
    for (;;) {
      yield* data;
      ({ data, nextCursor } = await listed({ after: nextCursor, waitSeconds: followWaitSeconds }));
    }
  }

  /**
   * What happens behind a place, over one connection (server-sent events): for pages in a browser, which show whether it
   * stands. It ends when the connection does; begin again behind the `cursor` of the last event. Programs use
   * {@link follow}.
   */
  async *live(options: LiveOptions): AsyncGenerator<StreamEvent, void, undefined> {
    const { after, signal, onOpen, onAlerts, ...filter } = options;
    const alerts = onAlerts === undefined ? undefined : 'true';
    const query = { after, events: filter.events?.join(','), numberId: filter.numberId, alerts };
    const stream = await this.open(['live'], { query, signal });
    onOpen?.();
    for await (const { name, data } of framesOfStream(stream)) {
      if (name === 'alerts') onAlerts?.();
      else yield data as StreamEvent;
    }
  }
}
