import { acceptCall, acceptChatState, acceptPresence } from '../activity/accept-activity.ts';
import { answerQuery } from '../iq/answer-query.ts';
import { deliverOffline } from '../login/offline-delivery.ts';
import type { Network } from '../network.ts';
import { completeLink } from '../pairing/link-device.ts';
import type { ClientConnection } from '../wire/client-connection.ts';
import { childNamed, type Stanza } from '../wire/stanza.ts';
import { acceptMessage } from './messages.ts';
import { acceptReceipt } from './receipts.ts';

/** Takes one stanza of a client to the room that deals with its kind. */
export async function routeStanza(
  network: Network,
  connection: ClientConnection,
  stanza: Stanza,
): Promise<void> {
  const { cutAfter } = connection.device?.user.faults ?? { cutAfter: null };
  if (connection.device && cutAfter !== null) {
    connection.device.user.faults.cutAfter = cutAfter > 0 ? cutAfter - 1 : null;
    if (cutAfter === 0) {
      connection.cut();
      return;
    }
  }
  switch (stanza.tag) {
    case 'iq':
      if (stanza.attrs.type === 'get' || stanza.attrs.type === 'set') {
        answerQuery(network, connection, stanza);
      } else if (childNamed(stanza, 'pair-device-sign')) {
        completeLink(network, connection, stanza);
      }
      return;
    case 'message':
      acceptMessage(network, connection, stanza);
      return;
    case 'receipt':
      acceptReceipt(network, connection, stanza);
      return;
    case 'ack':
      acceptAck(network, connection, stanza);
      return;
    case 'ib': {
      const asked = childNamed(stanza, 'offline_batch');
      if (asked) await deliverOffline(network, connection, asked);
      return;
    }
    case 'presence':
      acceptPresence(network, connection, stanza);
      return;
    case 'chatstate':
      acceptChatState(network, connection, stanza);
      return;
    case 'call':
      acceptCall(network, connection, stanza);
      return;
    default: // Whatever else a client says has no effect here.
  }
}

function acceptAck(network: Network, connection: ClientConnection, ack: Stanza): void {
  const { device } = connection;
  const { class: of, id = '' } = ack.attrs;
  if (!device) network.pairings.acknowledge(connection, id);
  if (!device || !of) return;
  // After it asked for a message again, a client also reports that it failed: that must not drop the repetition.
  if (of === 'message' && connection.askedAgain.delete(id)) return;
  network.queue.acknowledge(device, ack);
}
