import type { z } from 'zod';
import type { MediaUrlOf } from '../../../../contract/messages/shown-content.ts';
import type { ShownWithEvent } from '../../../../durable/event-log/conversations/reading/shown-conversation.ts';
import type { StreamEvent } from '../../../../durable/event-log/feed/event-reader.ts';
import type { PresenceFrame } from '../../../../durable/event-log/feed/feed-frames.ts';
import { logFault } from '../../../../durable/log.ts';
import type { LiveEvents } from '../../events/live-reader.ts';
import { writeEvents } from '../../events/server-sent-events.ts';
import type { ConversationCounts } from '../counts.ts';
import type { presenceSchema, shownWithEventSchema } from '../records.ts';
import { messageItem, noteItem, type PeopleNames, shownConversation } from '../shown-conversation.ts';

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
export function liveWriter({ hiddenNumberIds, urlOf, counts, names }: Following) {
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
export const shownPresence = (
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
