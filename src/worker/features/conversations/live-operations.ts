import { Hono } from 'hono';
import { z } from 'zod';
import type { EventName } from '../../../contract/events.ts';
import type { MediaUrlOf } from '../../../contract/messages/shown-content.ts';
import type {
  ShownConversation,
  ShownWithEvent,
} from '../../../durable/event-log/conversations/reading/shown-conversation.ts';
import type { StreamEvent } from '../../../durable/event-log/feed/event-reader.ts';
import type { PresenceFrame } from '../../../durable/event-log/feed/feed-frames.ts';
import { logFault } from '../../../durable/log.ts';
import { mediaUrlsOf } from '../../../durable/media-url.ts';
import type { AppEnv } from '../../app-env.ts';
import { personOf, signedIn } from '../../auth/callers.ts';
import { isStillSignedIn } from '../../auth/checks/token-check.ts';
import { openDatabase } from '../../db/database.ts';
import { renderRefusal } from '../../http/answer/refusal-response.ts';
import { jsonBody } from '../../http/request/body/json-body.ts';
import { query } from '../../http/request/query.ts';
import { askLog } from '../../object-calls.ts';
import { type LiveEvents, LiveReader } from '../events/live-reader.ts';
import { answerServerSentEvents, writeEvents } from '../events/server-sent-events.ts';
import { findMemberRow } from '../people/rows/members.ts';
import { type ConversationCounts, countsOf } from './counts.ts';
import { conversationPath, hiddenNumbers, noSuchConversation, ownConversation } from './own-conversation.ts';
import { namesOf, peopleOf } from './people.ts';
import type { presenceSchema, shownWithEventSchema } from './records.ts';
import { messageItem, noteItem, type PeopleNames, shownConversation } from './shown-conversation.ts';

/** Under a stream of events somebody is told how many conversations there are at most this often; in between they ask. */
const countsEveryMs = 1_000;

/** What is asked for somebody who follows conversations. */
interface Following {
  hiddenNumberIds: readonly string[];
  urlOf: MediaUrlOf;
  counts: () => Promise<ConversationCounts>;
  names: () => Promise<PeopleNames>;
}

/** Writes a stream of conversations for one person: events with what they have changed, and who is where. */
function liveWriter({ hiddenNumberIds, urlOf, counts, names }: Following) {
  let countedAt = 0;

  async function countsWith(shown: readonly ShownWithEvent[]): Promise<ConversationCounts | undefined> {
    if (Date.now() - countedAt < countsEveryMs) return undefined;
    if (!shown.some(({ conversation }) => conversation !== undefined)) return undefined;
    countedAt = Date.now();
    return counts();
  }

  async function completed({ events, shown = {} }: LiveEvents) {
    const told = Map.groupBy(events, isReadAlone);
    const counted = await countsWith((told.get(false) ?? []).flatMap(({ cursor }) => shown[cursor] ?? []));
    return events.map((event) => {
      const found = shown[event.cursor];
      if (found === undefined || isHidden(found)) return event;
      const isCounted = counted !== undefined && found.conversation !== undefined && !isReadAlone(event);
      return { ...event, shown: { ...shownWithEvent(found, urlOf), ...(isCounted && { counts: counted }) } };
    });
  }

  const isHidden = ({ conversation, item }: ShownWithEvent) =>
    [conversation, item?.message].some((one) => one !== undefined && hiddenNumberIds.includes(one.numberId));

  return async (next: LiveEvents): Promise<string> => {
    const { presence } = next;
    try {
      if (presence === undefined) return writeEvents({ ...next, events: await completed(next) });
      const hasNote = presence.conversations.some(({ note }) => note !== undefined);
      return written(shownPresence(presence, hasNote ? await names() : new Map()));
    } catch (error) {
      // The page asks.
      logFault('stream.not_completed', error);
      return presence === undefined ? writeEvents(next) : written(shownPresence(presence));
    }
  };
}

const written = (presence: object) => `event: presence\ndata: ${JSON.stringify(presence)}\n\n`;

/** That somebody has read a conversation moves none from one list to another. */
const isReadAlone = ({ event, data }: StreamEvent) =>
  event === 'conversation.updated' && Object.keys(data.changes).join() === 'unreadCount';

const shownWithEvent = (
  { item, conversation, isOptOutWord }: ShownWithEvent,
  urlOf: MediaUrlOf,
): z.infer<typeof shownWithEventSchema> => ({
  ...(item && { item: messageItem(item, urlOf) }),
  ...(conversation && { conversation: shownConversation(conversation) }),
  ...(isOptOutWord && { isOptOutWord }),
});

/** Who is where, as the API shows it; `names`: of the people who write notes, where notes are shown. */
const shownPresence = (
  { conversations, online, typing }: PresenceFrame,
  names?: PeopleNames,
): z.infer<typeof presenceSchema> => ({
  conversations: conversations.map(({ conversationId, people, lockedBy, hasNote, note }) => ({
    conversationId,
    people: people.map(({ until, ...person }) => ({ ...person, until: new Date(until).toISOString() })),
    lockedBy,
    ...(hasNote && { hasNote }),
    ...(note && names && { item: noteItem(note, names) }),
  })),
  online,
  ...(typing && {
    typing: typing.map(({ conversationId, state, until }) => ({
      conversationId,
      state,
      until: new Date(until).toISOString(),
    })),
  }),
});

/** What happens in conversations, as it happens. */
export const liveConversationRoutes = new Hono<AppEnv>();

/** Events of one page. */
const livePageMax = 500;

const events: EventName[] = [
  'message.queued',
  'message.sent',
  'message.delivered',
  'message.read',
  'message.failed',
  'message.received',
  'message.edited',
  'message.deleted',
  'message.reaction',
  'message.sent_from_phone',
  'message.media',
  'poll.voted',
  'contact.updated',
  'conversation.created',
  'conversation.updated',
];

const liveQuery = z.strictObject({ after: z.string().max(100).optional() });

liveConversationRoutes.get('/live', signedIn, query(liveQuery), async (c) => {
  const after = c.req.header('Last-Event-ID') || c.req.valid('query').after || null;
  const caller = personOf(c);
  const hiddenNumberIds = await hiddenNumbers(c);
  const filter = { events, numberId: null, hiddenNumberIds };
  const request = { after, limit: livePageMax, filter };
  // Whoever may see other numbers now, or none any more, opens the stream again.
  const isGood = async () => {
    const [stands, hidden] = await Promise.all([isStillSignedIn(c.env, caller), hiddenNumbers(c)]);
    return stands && hidden.join() === hiddenNumberIds.join();
  };
  const opened = await LiveReader.open(
    c.env,
    caller.accountId,
    request,
    { isGood },
    {
      viewerId: caller.userId,
    },
  );
  if ('ok' in opened) return renderRefusal(c, opened);
  c.req.raw.signal.addEventListener('abort', () => opened.close());
  const { accountId, userId } = caller;
  const write = liveWriter({
    hiddenNumberIds,
    urlOf: mediaUrlsOf(c.env, accountId, new URL(c.req.url).origin),
    counts: () => countsOf(c.env, accountId, userId, hiddenNumberIds),
    names: async () => namesOf(await peopleOf(c)),
  });
  return answerServerSentEvents(opened, write);
});

/** Whoever looks at a chat is to see when its other side types. What is lost here is asked for again in a moment. */
async function watch(
  env: Env,
  { numberId, groupId, phoneNumber, contact }: ShownConversation,
): Promise<void> {
  const chat = groupId === null ? (phoneNumber ?? contact?.phoneNumber ?? null) : null;
  if (chat === null) return;
  await env.PHONE_NUMBER.getByName(numberId)
    .watchChat(chat)
    .catch((error: unknown) => logFault('conversation.not_watched', error, { numberId }));
}

const viewingBody = z.strictObject({ state: z.enum(['viewing', 'typing', 'left']) });

/** Somebody looks at a conversation, types in it, or has left it. */
liveConversationRoutes.post('/:id/viewing', signedIn, conversationPath, jsonBody(viewingBody), async (c) => {
  const { accountId, userId } = personOf(c);
  const [found, person] = await Promise.all([
    ownConversation(c),
    findMemberRow(openDatabase(c.env.DB), accountId, userId),
  ]);
  if (found === null || person === null) return renderRefusal(c, noSuchConversation);
  const { state } = c.req.valid('json');
  if (state === 'viewing') c.executionCtx.waitUntil(watch(c.env, found));
  const frame = await askLog(c.env, accountId, (log) =>
    log.viewConversation(found.conversationId, { userId, name: person.name }, state),
  );
  if (frame === null) return renderRefusal(c, noSuchConversation);
  return c.json<z.infer<typeof presenceSchema>>(shownPresence(frame));
});
