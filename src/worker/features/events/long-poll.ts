import type { Refusal } from '../../../contract/errors.ts';
import type { EventsPage, EventsRequest } from '../../../durable/event-log/feed/event-reader.ts';
import { askLog } from '../../object-calls.ts';
import { FeedSocket } from './feed-socket.ts';

/** A page of events; where there are none, one as soon as there is, or after the wait what there is still. */
export async function readOrWait(
  env: Env,
  accountId: string,
  request: EventsRequest,
  waitMs: number,
  signal: AbortSignal,
): Promise<EventsPage | Refusal> {
  const page = await askLog(env, accountId, (log) => log.readEvents(request));
  if (!page.ok || page.data.length > 0 || page.hasMore || waitMs === 0) return page;
  const { filter, limit } = request;
  const feed = await FeedSocket.open(env, accountId, { after: page.nextCursor, filter, window: limit });
  if (feed === null) return page;
  signal.addEventListener('abort', () => feed.close());
  try {
    return await firstPage(feed, page, waitMs);
  } finally {
    feed.close();
  }
}

async function firstPage(feed: FeedSocket, empty: EventsPage, waitMs: number): Promise<EventsPage> {
  const endsAt = Date.now() + waitMs;
  let page = empty;
  for (;;) {
    const frame = await feed.next(Math.max(0, endsAt - Date.now()));
    if (frame === null || frame === 'silence') return page;
    const { events: data, cursor: nextCursor, hasMore } = frame;
    page = { ok: true, data, nextCursor, hasMore };
    if (data.length > 0) return page;
    feed.acknowledge(frame);
  }
}
