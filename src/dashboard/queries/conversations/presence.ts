import type { PresenceFrame } from '../../../sdk/index.ts';
import { presenceFrames } from '../../gateway/live.ts';
import { Store } from '../../gateway/store.ts';

type Shown = PresenceFrame['conversations'][number];
type Typing = NonNullable<PresenceFrame['typing']>[number];

interface Presence {
  conversations: ReadonlyMap<string, Shown>;
  online: ReadonlySet<string>;
  /** Where the other side types now. */
  typing: ReadonlyMap<string, Typing>;
}

const nobody: Presence = { conversations: new Map(), online: new Set(), typing: new Map() };

/** Who looks at which conversation, who is there, and where the other side types. */
export const presence = new Store<Presence>(nobody);

/** A little behind the end of what is known, so that it has passed. */
const graceMs = 50;
let ending: ReturnType<typeof setTimeout> | undefined;

export function takePresence(frame: PresenceFrame): void {
  const conversations = new Map(presence.value.conversations);
  for (const shown of frame.conversations) conversations.set(shown.conversationId, shown);
  const typing = new Map(presence.value.typing);
  for (const one of frame.typing ?? []) typing.set(one.conversationId, one);
  presence.set(current({ conversations, online: new Set(frame.online), typing }));
  forgetInTime();
}

/** What they have typed has come. */
export function typingEnded(conversationId: string): void {
  if (!presence.value.typing.has(conversationId)) return;
  const typing = new Map(presence.value.typing);
  typing.delete(conversationId);
  presence.set({ ...presence.value, typing });
}

function forgetPresence(): void {
  clearTimeout(ending);
  presence.set(nobody);
}

/** Without whom nothing was heard of any more. */
function current({ conversations, online, typing }: Presence): Presence {
  const now = Date.now();
  const isNow = ({ until }: { until: string }) => Date.parse(until) > now;
  const kept = new Map<string, Shown>();
  for (const [conversationId, shown] of conversations) {
    const people = shown.people.filter(isNow);
    if (people.length > 0) kept.set(conversationId, { ...shown, people });
  }
  const isTyping = (one: Typing) => one.state !== 'paused' && isNow(one);
  return { conversations: kept, online, typing: new Map([...typing].filter(([, one]) => isTyping(one))) };
}

function forgetInTime(): void {
  clearTimeout(ending);
  const { conversations, typing } = presence.value;
  const people = [...conversations.values()].flatMap((shown) => shown.people);
  const ends = [...people, ...typing.values()].map(({ until }) => Date.parse(until));
  if (ends.length === 0) return;
  const inMs = Math.max(0, Math.min(...ends) - Date.now()) + graceMs;
  ending = setTimeout(() => {
    presence.set(current(presence.value));
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
