import type { PresenceFrame } from '../../../sdk/index.ts';
import { presenceFrames } from '../../gateway/live.ts';
import { Store } from '../../gateway/store.ts';

type Shown = PresenceFrame['conversations'][number];

interface Presence {
  conversations: ReadonlyMap<string, Shown>;
  online: ReadonlySet<string>;
}

/** Who looks at which conversation, and who is there. */
export const presence = new Store<Presence>({ conversations: new Map(), online: new Set() });

/** A little behind the end of what is known, so that it has passed. */
const graceMs = 50;
let ending: ReturnType<typeof setTimeout> | undefined;

export function takePresence(frame: PresenceFrame): void {
  const conversations = new Map(presence.value.conversations);
  for (const shown of frame.conversations) conversations.set(shown.conversationId, shown);
  presence.set({ conversations: current(conversations), online: new Set(frame.online) });
  forgetInTime();
}

function forgetPresence(): void {
  clearTimeout(ending);
  presence.set({ conversations: new Map(), online: new Set() });
}

/** Without whom nothing was heard of any more. */
function current(conversations: ReadonlyMap<string, Shown>): Map<string, Shown> {
  const now = Date.now();
  const kept = new Map<string, Shown>();
  for (const [conversationId, shown] of conversations) {
    const people = shown.people.filter(({ until }) => Date.parse(until) > now);
    if (people.length > 0) kept.set(conversationId, { ...shown, people });
  }
  return kept;
}

function forgetInTime(): void {
  clearTimeout(ending);
  const ends = [...presence.value.conversations.values()].flatMap(({ people }) =>
    people.map(({ until }) => Date.parse(until)),
  );
  if (ends.length === 0) return;
  const inMs = Math.max(0, Math.min(...ends) - Date.now()) + graceMs;
  ending = setTimeout(() => {
    presence.set({ ...presence.value, conversations: current(presence.value.conversations) });
    forgetInTime();
  }, inMs);
}

export function followPresence(): () => void {
  presenceFrames.add(takePresence);
  return () => {
    presenceFrames.delete(takePresence);
    forgetPresence();
  };
}
