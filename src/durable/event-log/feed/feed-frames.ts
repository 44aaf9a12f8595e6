import { z } from 'zod';
import { eventNameSchema } from '../../../contract/events.ts';
import type { ContactTyping, ViewedConversation } from '../conversations/presence.ts';
import type { ShownWithEvent } from '../conversations/reading/shown-conversation.ts';
import type { EventFilter, StreamEvent } from './event-reader.ts';

/** What the log says over the socket of a live reader. */
export interface FeedFrame {
  /** None: nothing matched for a while, and the reader continues from `cursor`. */
  events: StreamEvent[];
  /** Where to go on behind this frame. */
  cursor: string;
  hasMore: boolean;
  /** To who follows conversations: what events of this frame have changed, by their cursors. Left out by older code. */
  shown?: Record<string, ShownWithEvent>;
}

/** Who is where: each conversation that is named is as it is now; nobody is in one without people. */
export interface PresenceFrame {
  conversations: ViewedConversation[];
  /** Who follows the account's conversations. */
  online: string[];
  /** What the other side of these does now. */
  typing?: ContactTyping[];
}

/** The same as the log says it over a socket. */
export interface FeedPresence {
  presence: PresenceFrame;
}

/** Alerts are others now: who follows them asks for them. */
export interface FeedAlerts {
  alerts: true;
}

/** Who may see what is otherwise now: whoever reads for a person looks again. */
export interface FeedAccess {
  access: true;
}

/** What the Worker says back when it has passed a frame on: how many events it held, in how many characters. */
export const acknowledgementSchema = z.strictObject({ events: z.int().min(0), characters: z.int().min(0) });
export type Acknowledgement = z.infer<typeof acknowledgementSchema>;

/** Keeps the socket alive, and is answered without waking the log. */
export const feedPing = 'ping';
export const feedPong = 'pong';

/** How many unacknowledged events a reader may have; then the log waits for it. */
export const unacknowledgedMax = 1_000;

/** How the log closes a socket: its reader comes back with a cursor, and is told there what it may be told. */
export const feedCloseCodes = { notUnderstood: 4400, silent: 4408, expired: 4410, fault: 4500 } as const;

/**
 * Where a live reader begins and what it wants, in the query of its upgrade request. It is stored with the socket, whose
 * attachment is limited in size. The numbers that the reader may not see can be many, so they are not in it: the Worker leaves
 * their events out.
 */
export interface FeedRequest {
  after: string;
  filter: Pick<EventFilter, 'events' | 'numberId'>;
  /** At most {@link unacknowledgedMax}. */
  window: number;
  /** Who follows the account's conversations with it, and hears who else does. */
  viewerId?: string | null;
  /** It is told when alerts have changed. */
  followsAlerts?: boolean;
}

const querySchema = z.strictObject({
  after: z.string(),
  events: z
    .string()
    .transform((names) => names.split(','))
    .pipe(z.array(eventNameSchema))
    .optional(),
  numberId: z.string().optional(),
  viewer: z.string().optional(),
  alerts: z.literal('true').optional(),
  window: z.coerce.number().int().min(1).max(unacknowledgedMax),
});

export function feedUrl({ after, filter, window, viewerId = null, followsAlerts }: FeedRequest): string {
  const query = new URLSearchParams({ after, window: String(window) });
  if (filter.events !== null) query.set('events', filter.events.join(','));
  if (filter.numberId !== null) query.set('numberId', filter.numberId);
  if (viewerId !== null) query.set('viewer', viewerId);
  if (followsAlerts) query.set('alerts', 'true');
  return `https://event-log/feed?${query}`;
}

/** Null when it is no request of ours. */
export function parseFeedUrl(url: string): FeedRequest | null {
  const parsed = querySchema.safeParse(Object.fromEntries(new URL(url).searchParams));
  if (!parsed.success) return null;
  const { after, events = null, numberId = null, window, viewer = null, alerts } = parsed.data;
  return {
    after,
    filter: { events, numberId },
    window,
    viewerId: viewer,
    followsAlerts: alerts !== undefined,
  };
}
