import type { PresenceFrame } from '../../../durable/event-log/feed/feed-frames.ts';
import type { StreamEvent } from '../../../durable/event-log/feed/stream-event.ts';

/** Whether an event is of no number that is hidden. */
export const isSeen = ({ data }: StreamEvent, hidden: ReadonlySet<string>): boolean =>
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
