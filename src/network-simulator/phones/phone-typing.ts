import type { User } from '../accounts/user.ts';
import { addressOf } from '../wire/addresses.ts';
import { type Stanza, stanza } from '../wire/stanza.ts';

export type TypingState = 'typing' | 'recording' | 'paused';

/** A phone types to somebody: those of their devices hear of it that are there and want to. Answers how many. */
export function showTyping(from: User, to: User, state: TypingState): number {
  const chatState = stanza('chatstate', { from: addressOf(from, from.script.addressing) }, [
    stateStanza(state),
  ]);
  const told = [...to.devices.values()].filter(
    ({ link }) => link?.caughtUp && link.watched.has(from) && !to.faults.isDeaf,
  );
  for (const { link } of told) link?.send(chatState);
  return told.length;
}

const stateStanza = (state: TypingState): Stanza =>
  state === 'paused'
    ? stanza('paused')
    : stanza('composing', state === 'recording' ? { media: 'audio' } : {});
