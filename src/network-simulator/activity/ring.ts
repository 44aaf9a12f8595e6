import type { User } from '../accounts/user.ts';
import type { Network } from '../network.ts';
import { addressOf } from '../wire/addresses.ts';
import { newStanzaId, nowSeconds, stanza } from '../wire/stanza.ts';

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
