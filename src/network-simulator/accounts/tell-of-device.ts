import type { Network } from '../network.ts';
import { addressOf } from '../wire/addresses.ts';
import { notification, nowSeconds, stanza } from '../wire/stanza.ts';
import type { Device } from './user.ts';

/** A device of somebody has come or gone. */
export function tellOfDevice(network: Network, device: Device, change: 'add' | 'remove'): void {
  const { user } = device;
  if (user.script.linksQuietly) {
    network.listReaders.changedUnheard(user);
    return;
  }
  const addressing = user.script.hidesNumber ? 'lid' : user.script.addressing;
  const changed = stanza(change, {}, [
    stanza('device', {
      jid: addressOf(user, addressing, device.number),
      'key-index': String(device.number),
    }),
    stanza('key-index-list', { ts: nowSeconds() }),
  ]);
  for (const reader of network.listReaders.of(user)) {
    if (reader === device) continue;
    network.queue.put(reader, notification(addressOf(user, addressing), 'devices', [changed]));
  }
}
