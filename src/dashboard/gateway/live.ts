import { NotFoundError, type PresenceFrame } from '../../sdk/index.ts';
import { gateway } from './client.ts';
import { Live, type Source } from './live-stream.ts';
import { askBehind } from './query-client.ts';
import { session } from './session.ts';

/** Called when alerts have begun, ended or been acknowledged. */
export const alertChanges = new Set<() => void>();
const alertsChanged = () => {
  for (const listener of alertChanges) listener();
};

const around = { isOver: () => session.current.value === null, network: window };

/** The newest event there is. */
async function newest(signal: AbortSignal): Promise<string> {
  const { nextCursor } = await gateway.events.list({}, { after: 'now', limit: 1, signal, retryForMs: 0 });
  return nextCursor;
}

/** Every event of the account: for owners and admins. */
const accountEvents: Source = async function* (after, signal, onOpen) {
  yield* gateway.events.live({
    after: after ?? (await newest(signal)),
    signal,
    onOpen,
    onAlerts: alertsChanged,
  });
};

export const live = new Live({ source: accountEvents, place: newest, ...around });

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

export const inboxLive = new Live({ source: conversationEvents, ...around });

/** What events alone keep true: nothing of it is missed where they go on. Conversations have a stream of their own. */
export const ofConversations: ReadonlySet<unknown> = new Set([
  'conversations',
  'conversation-items',
  'conversation-details',
]);

// What a page asks for when it opens would else be asked for again as soon as its stream begins.
askBehind(([name]) => (ofConversations.has(name) ? inboxLive : live).placed());
