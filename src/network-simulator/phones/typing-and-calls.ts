import type { User } from '../accounts/user.ts';
import type { Network } from '../network.ts';
import { addressOf } from '../wire/addresses.ts';
import { newStanzaId, nowSeconds, type Stanza, stanza } from '../wire/stanza.ts';

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

/** A phone calls a number: its linked devices ring. Answers the call's id. */
export function ring(network: Network, from: User, to: User, isVideo: boolean): string {
  const callId = newStanzaId();
  const caller = addressOf(from, from.script.addressing);
  const attributes = { from: caller, id: newStanzaId(), t: nowSeconds() };
  const offer = stanza(
    'offer',
    { 'call-id': callId, 'call-creator': caller },
    isVideo ? [stanza('audio'), stanza('video')] : [stanza('audio')],
  );
  for (const device of to.devices.values()) network.queue.put(device, stanza('call', attributes, [offer]));
  return callId;
}
