import type { Refusal } from '../../../contract/errors.ts';
import type { EventsPage, EventsRequest, StreamEvent } from '../../../durable/event-log/feed/event-reader.ts';
import {
  type FeedFrame,
  type PresenceFrame,
  unacknowledgedMax,
} from '../../../durable/event-log/feed/feed-frames.ts';
import { logFault } from '../../../durable/log.ts';
import { askLog } from '../../object-calls.ts';
import { FeedSocket, type ReceivedFrame } from './feed-socket.ts';

/** How often a reader who has nothing to read hears that the stream is alive. */
const heartbeatMs = 15_000;
/** How often it is asked whether the credential is still good. */
const checkEveryMs = 60_000;
/** The same before something is passed on to whom the log does not tell of changes: what was revoked reads no longer than that. */
export const checkBeforeTellingMs = 5_000;
/** As long as a dashboard token lives: whoever reads on shows a credential again. */
const readsForMs = 15 * 60_000;

/** What comes next in a live stream; without events only the place has moved on. */
export interface LiveEvents {
  events: StreamEvent[];
  /** What events have changed, by their cursors, for who follows conversations. */
  shown?: FeedFrame['shown'];
  cursor: string;
  /** Who is where, instead of events. */
  presence?: PresenceFrame;
  /** Alerts are others now, instead of events. */
  alerts?: true;
}

/** Whether whoever reads may still do so. */
export interface Standing {
  isGood(): Promise<boolean>;
  /** How old the answer may be when something is passed on; left out: as old as in a stream in which nothing happens. */
  isGoodForMs?: number;
}

/** What is told beside the events, from the moment on that the stream is open. */
export interface TellsToo {
  /** Who follows conversations, and hears who else does. */
  viewerId?: string;
  /** That alerts have changed. */
  alerts?: boolean;
}

/**
 * Follows an account's events from a position: existing ones by pages, and then new ones over a socket to the log. The next
 * part is requested when the previous one has been passed on, so a slow client delays only itself.
 */
export class LiveReader {
  readonly #env: Env;
  readonly #accountId: string;
  readonly #request: EventsRequest;
  /** Numbers of which the reader hears nothing. */
  readonly #hidden: ReadonlySet<string>;
  readonly #standing: Standing;
  readonly #tellsToo: TellsToo;
  #checkedAt = Date.now();
  readonly #endsAt = Date.now() + readsForMs;
  /** Read, and not asked for yet. */
  #page: EventsPage | null;
  #cursor: string;
  #hasMore: boolean;
  #feed: FeedSocket | null = null;
  /** Passed on, and not acknowledged yet. */
  #frame: ReceivedFrame | null = null;
  #isClosed = false;

  /** Reads the first page, which says whether there is such a place. */
  static async open(
    env: Env,
    accountId: string,
    request: EventsRequest,
    standing: Standing,
    tellsToo: TellsToo = {},
  ): Promise<LiveReader | Refusal> {
    const page = await askLog(env, accountId, (log) => log.readEvents(request));
    if (!page.ok) return page;
    const reader = new LiveReader(env, accountId, request, page, standing, tellsToo);
    // Who is where, that a note was written or an alert has begun, stands in no page: who wants that follows from now on.
    if (tellsToo.viewerId !== undefined || tellsToo.alerts) await reader.#openFeed();
    return reader;
  }

  private constructor(
    env: Env,
    accountId: string,
    request: EventsRequest,
    page: EventsPage,
    standing: Standing,
    tellsToo: TellsToo,
  ) {
    this.#tellsToo = tellsToo;
    this.#env = env;
    this.#accountId = accountId;
    this.#request = request;
    this.#hidden = new Set(request.filter.hiddenNumberIds);
    this.#standing = standing;
    this.#page = page;
    this.#cursor = page.nextCursor;
    this.#hasMore = page.hasMore;
  }

  /** Waits for what comes next; `silence`: nothing for a while; null: the stream has ended, and can be resumed. */
  async next(): Promise<LiveEvents | 'silence' | null> {
    const next = await this.#next().catch((error: unknown) => {
      logFault('stream.failed', error, { accountId: this.#accountId });
      return null;
    });
    if (next === null) this.close();
    return next;
  }

  close(): void {
    this.#isClosed = true;
    this.#feed?.close();
  }

  async #next(): Promise<LiveEvents | 'silence' | null> {
    if (this.#isClosed || Date.now() > this.#endsAt || !(await this.#isAllowed(checkEveryMs))) return null;
    const next = await this.#read();
    if (next === null || next === 'silence') return next;
    // It may have waited long for it.
    return (await this.#isAllowed(this.#standing.isGoodForMs ?? checkEveryMs)) ? next : null;
  }

  async #read(): Promise<LiveEvents | 'silence' | null> {
    if (this.#page === null && this.#hasMore && this.#feed === null) await this.#readPage();
    if (this.#page !== null) {
      const { data: events, nextCursor: cursor } = this.#page;
      this.#page = null;
      return { events, cursor };
    }
    return this.#nextFrame();
  }

  /** Asked where the last answer is so old; where nobody can tell, the stream goes on until somebody can. */
  async #isAllowed(answerMs: number): Promise<boolean> {
    if (Date.now() < this.#checkedAt + answerMs) return true;
    this.#checkedAt = Date.now();
    return this.#standing.isGood().catch((error: unknown) => {
      logFault('stream.not_checked', error, { accountId: this.#accountId });
      return true;
    });
  }

  async #readPage(): Promise<void> {
    const request = { ...this.#request, after: this.#cursor };
    const page = await askLog(this.#env, this.#accountId, (log) => log.readEvents(request));
    // A refusal: the log has moved on past this reader. It comes back with its cursor, and is told.
    if (!page.ok) return this.close();
    this.#page = page;
    this.#cursor = page.nextCursor;
    this.#hasMore = page.hasMore;
  }

  async #nextFrame(): Promise<LiveEvents | 'silence' | null> {
    const feed = this.#feed ?? (await this.#openFeed());
    if (this.#isClosed || feed === null) return null;
    if (this.#frame !== null) feed.acknowledge(this.#frame);
    this.#frame = null;
    for (;;) {
      const frame = await feed.next(heartbeatMs);
      if (frame === 'silence') return feed.ping() ? 'silence' : null;
      if (frame?.access) {
        if (await this.#isAllowed(0)) continue;
        return null;
      }
      if (frame?.presence === undefined) {
        this.#frame = frame;
        return frame && { ...frame, events: frame.events.filter((event) => isSeen(event, this.#hidden)) };
      }
      const presence = seenPresence(frame.presence, this.#hidden);
      if (presence !== null) return { ...frame, presence };
    }
  }

  async #openFeed(): Promise<FeedSocket | null> {
    const { events, numberId } = this.#request.filter;
    const { viewerId = null, alerts: followsAlerts = false } = this.#tellsToo;
    const filter = { events, numberId };
    const request = { after: this.#cursor, filter, window: unacknowledgedMax, viewerId, followsAlerts };
    this.#feed = await FeedSocket.open(this.#env, this.#accountId, request);
    // Whoever has gone meanwhile could not close it.
    if (this.#isClosed) this.#feed?.close();
    return this.#feed;
  }
}

/** Whether an event is of no number that is hidden. */
const isSeen = ({ data }: StreamEvent, hidden: ReadonlySet<string>): boolean =>
  !('numberId' in data && hidden.has(data.numberId));

/** Who is where, without what is said of hidden numbers; null where it was said of them alone. */
export function seenPresence(
  { conversations, online, typing = [] }: PresenceFrame,
  hidden: ReadonlySet<string>,
): PresenceFrame | null {
  const isShown = ({ numberId }: { numberId: string }) => !hidden.has(numberId);
  const seen = typing.filter(isShown);
  if (typing.length > 0 && seen.length === 0) return null;
  return { conversations: conversations.filter(isShown), online, ...(seen.length > 0 && { typing: seen }) };
}
