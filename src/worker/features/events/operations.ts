import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { invalidField, type Refusal } from '../../../contract/errors.ts';
import { eventNameSchema } from '../../../contract/events.ts';
import { uuidSchema } from '../../../contract/ids.ts';
import type { EventFilter, EventsPage, EventsRequest } from '../../../durable/event-log/feed/event-reader.ts';
import type { AppEnv, Caller } from '../../app-env.ts';
import { callerStands, keyOrAdministrator, onlyNumberOf } from '../../auth/callers.ts';
import { renderRefusal } from '../../http/answer/refusal-response.ts';
import { query, wholeNumber } from '../../http/request/query.ts';
import { askLog } from '../../object-calls.ts';
import { FeedSocket } from './feed-socket.ts';
import { checkBeforeTellingMs, LiveReader } from './live-reader.ts';
import type { eventPageSchema } from './records.ts';
import { answerServerSentEvents } from './server-sent-events.ts';

export const eventRoutes = new Hono<AppEnv>();

const reader = keyOrAdministrator('events:read');

/** Longer than any cursor. */
const cursorCharactersMax = 100;
/** Events of one page of a live stream. */
const livePageMax = 500;

const after = z.string().max(cursorCharactersMax).optional();

const filter = {
  events: z
    .string()
    .transform((names) => names.split(','))
    .pipe(z.array(eventNameSchema))
    .optional(),
  numberId: uuidSchema.optional(),
};

const notBoth = invalidField('before', 'Either `before`, or `after` and `wait`.');

const listQuery = z.strictObject({
  after,
  before: z.string().max(cursorCharactersMax).optional(),
  limit: wholeNumber(1, 1_000, 100),
  ...filter,
  wait: wholeNumber(0, 30, 0),
});

/** To a key that is pinned strictly the other numbers are as those of somebody else: nothing happens there. */
function filterFor(c: Context<AppEnv>, events: EventFilter['events'], numberId: string | null): EventFilter {
  const only = onlyNumberOf(c);
  if (only === null) return { events, numberId };
  return { events: numberId === null || numberId === only ? events : [], numberId: only };
}

eventRoutes.get('/', reader, query(listQuery), async (c) => {
  const { after = null, before = null, limit, events = null, numberId = null, wait } = c.req.valid('query');
  if (before !== null && (after !== null || wait > 0)) return renderRefusal(c, notBoth);
  const caller = c.get('caller');
  const request = { after, before, limit, filter: filterFor(c, events, numberId) };
  const page = await readOrWait(c.env, caller, request, wait * 1000, c.req.raw.signal);
  if (!page.ok) return renderRefusal(c, page);
  const { data, nextCursor, hasMore } = page;
  c.get('log').events = data.length;
  return c.json<z.infer<typeof eventPageSchema>>({ data, nextCursor, hasMore });
});

const liveQuery = z.strictObject({ after, ...filter, alerts: z.literal('true').optional() });

const alertsArePeoples = invalidField(
  'alerts',
  'Alerts are only available to people, over server-sent events.',
);

const asksForSocket = (c: Context<AppEnv>) => c.req.header('Upgrade')?.toLowerCase() === 'websocket';

eventRoutes.get('/live', reader, query(liveQuery), async (c) => {
  const { events = null, numberId = null, alerts, ...from } = c.req.valid('query');
  // A browser that reconnects asks for the same URL again: then the header is newer.
  const after = c.req.header('Last-Event-ID') || from.after || null;
  const request = { after, limit: livePageMax, filter: filterFor(c, events, numberId) };
  const caller = c.get('caller');
  const followsAlerts = alerts !== undefined;
  if (followsAlerts && (caller.kind === 'key' || asksForSocket(c))) return renderRefusal(c, alertsArePeoples);
  const standing = {
    isGood: () => callerStands(c.env, caller),
    // Of the others the log says when to ask.
    ...(!followsAlerts && { isGoodForMs: checkBeforeTellingMs }),
  };
  const opened = await LiveReader.open(c.env, caller.accountId, request, standing, { alerts: followsAlerts });
  if ('ok' in opened) return renderRefusal(c, opened);
  c.req.raw.signal.addEventListener('abort', () => opened.close());
  if (asksForSocket(c)) return answerLiveSocket(opened);
  return answerServerSentEvents(opened);
});

/**
 * What one socket is sent at most. Nobody tells how much of it the client has read, and what it has not lies in memory
 * here: so it comes back for more.
 */
const charactersMax = 4_000_000;
/** Service restart: the client connects again, behind the last event that it has. */
const resumeCode = 1012;

/** Answers with a WebSocket whose frames are the events, one each. */
function answerLiveSocket(reader: LiveReader): Response {
  const { 0: client, 1: server } = new WebSocketPair();
  server.addEventListener('close', () => reader.close());
  server.addEventListener('error', () => reader.close());
  server.accept();
  void passOn(reader, server);
  return new Response(null, { status: 101, webSocket: client });
}

/** Until the client goes, or the stream ends. */
async function passOn(reader: LiveReader, socket: WebSocket): Promise<void> {
  let characters = 0;
  while (characters < charactersMax) {
    const next = await reader.next();
    if (next === null || socket.readyState !== WebSocket.OPEN) break;
    if (next === 'silence') continue;
    for (const event of next.events) {
      const frame = JSON.stringify(event);
      characters += frame.length;
      socket.send(frame);
    }
  }
  reader.close();
  socket.close(resumeCode, 'resume behind the last event');
}

/** A page of events; where there are none, one as soon as there is, or after the wait what there is still. */
async function readOrWait(
  env: Env,
  caller: Caller,
  request: EventsRequest,
  waitMs: number,
  signal: AbortSignal,
): Promise<EventsPage | Refusal> {
  const { accountId } = caller;
  const beganAt = Date.now();
  const page = await askLog(env, accountId, (log) => log.readEvents(request));
  if (!page.ok || page.data.length > 0 || page.hasMore || waitMs === 0) return page;
  const { filter, limit } = request;
  const feed = await FeedSocket.open(env, accountId, { after: page.nextCursor, filter, window: limit });
  if (feed === null) return page;
  signal.addEventListener('abort', () => feed.close());
  try {
    const found = await firstPage(feed, page, waitMs);
    if (found.data.length === 0 || Date.now() < beganAt + checkBeforeTellingMs) return found;
    // Whoever may read no more is told so by the next request.
    return (await callerStands(env, caller)) ? found : page;
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
