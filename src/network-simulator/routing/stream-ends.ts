import type { Network } from '../network.ts';
import type { ClientConnection } from '../wire/client-connection.ts';
import { stanza } from '../wire/stanza.ts';

/** Whether a message to this address ends the connection that it comes over, as scripted, and is counted. */
export function streamEndOf(network: Network, to: string): 'taken' | 'not taken' | null {
  const recipient = network.users.byAddress(to);
  const scripted = recipient?.script.endsStream;
  if (!recipient || !scripted) return null;
  const times = scripted.times - 1;
  network.users.changeScript(recipient, { endsStream: times > 0 ? { ...scripted, times } : null });
  return scripted.isTaken ? 'taken' : 'not taken';
}

/** The network ends the connection because of a message, and says because of which. */
export function endStream(connection: ClientConnection, messageId: string): void {
  connection.end(stanza('stream:error', {}, [stanza('ack', { class: 'message', id: messageId })]));
}
