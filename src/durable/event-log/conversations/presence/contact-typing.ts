import type { TypingState } from '../../../../contract/bridge/network-queries.ts';
import type { Conversation } from '../conversation.ts';

/**
 * What the other side of a conversation does now. It is kept nowhere: whoever comes later hears of it when it goes on.
 * `until`: milliseconds since 1970.
 */
export interface ContactTyping {
  conversationId: string;
  numberId: string;
  state: TypingState;
  until: number;
}

/** A phone says again that somebody types while they do, and not always that they have stopped. */
const lastsMs = 20_000;

export const contactTyping = (
  { conversationId, numberId }: Conversation,
  state: TypingState,
  now: number,
): ContactTyping => ({ conversationId, numberId, state, until: state === 'paused' ? now : now + lastsMs });
