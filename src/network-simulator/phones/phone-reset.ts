import type { Device, User } from '../accounts/user.ts';
import { shortPhone } from '../log.ts';
import { unlinkDevice } from '../login/device-endings.ts';
import type { Network } from '../network.ts';
import { addressOf } from '../wire/addresses.ts';
import { newStanzaId, nowSeconds, stanza } from '../wire/stanza.ts';

/**
 * The owner sets the phone up anew: it has other keys from now on and knows no session, and its linked devices are out.
 * Devices that had a session with it are told, unless `isQuiet`. Answers how many were.
 */
export async function resetPhone(network: Network, user: User, isQuiet: boolean): Promise<number> {
  return network.endpoints.of(user).inTurn(async () => {
    for (const device of [...user.devices.values()]) unlinkDevice(network, device);
    const peers = devicesWithSession(network, user);
    network.endpoints.renew(user);
    network.log.info({ phone: shortPhone(user.phone), peers: peers.length, isQuiet }, 'phone.reset');
    if (isQuiet) return 0;
    for (const peer of peers) {
      const from = addressOf(user, user.script.hidesNumber ? 'lid' : user.script.addressing);
      const attributes = { from, type: 'encrypt', id: newStanzaId(), t: nowSeconds() };
      network.queue.put(peer, stanza('notification', attributes, [stanza('identity')]));
    }
    return peers.length;
  });
}

/** Sessions stand under `<alias>_1.<device>`. */
function devicesWithSession(network: Network, user: User): Device[] {
  const rows = network.store.all(
    "SELECT id FROM signal_state WHERE user_id = ? AND kind = 'session'",
    user.id,
  );
  return rows.flatMap(({ id }) => {
    const [, lid, number] = /^(\d+)_1\.(\d+)$/.exec(String(id)) ?? [];
    const peer = network.users.byAddress(`${lid}@lid`);
    return peer?.devices.get(Number(number)) ?? [];
  });
}
