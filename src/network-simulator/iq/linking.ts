import { unlinkDevice } from '../login/device-endings.ts';
import type { Network } from '../network.ts';
import { companionFinish, companionHello } from '../pairing/link-code.ts';
import { parseAddress } from '../wire/addresses.ts';
import type { ClientConnection } from '../wire/client-connection.ts';
import type { Stanza } from '../wire/stanza.ts';
import type { Answer } from './query.ts';

/** `md`: pairing by code, and a device that unlinks itself. */
export function answerLinking(
  network: Network,
  connection: ClientConnection,
  asked: Stanza | undefined,
  reply: (answer: Answer) => void,
): void {
  if (asked?.tag === 'remove-companion-device') {
    reply({});
    const number = parseAddress(asked.attrs.jid)?.device ?? 0;
    const device = connection.device?.user.devices.get(number);
    if (device) unlinkDevice(network, device);
    return;
  }
  const stage = asked?.tag === 'link_code_companion_reg' ? asked.attrs.stage : undefined;
  if (asked && stage === 'companion_hello') {
    reply(companionHello(network, connection, asked));
    return;
  }
  reply({});
  if (asked && stage === 'companion_finish') companionFinish(network, connection, asked);
}
