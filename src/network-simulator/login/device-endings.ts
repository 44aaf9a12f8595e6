import { removeDevice } from '../accounts/devices.ts';
import { tellOfDevice } from '../accounts/tell-of-device.ts';
import type { Device, User } from '../accounts/user.ts';
import { shortPhone } from '../log.ts';
import type { Network } from '../network.ts';
import { stanza } from '../wire/stanza.ts';
import { failure } from './failures.ts';
import { replaced } from './login.ts';

/** What the network, or the owner of the phone, can do to the devices of a number. */
export const deviceEndings = {
  /** The TCP connection is gone; nothing else changes. */
  drop(_network: Network, user: User): void {
    for (const device of user.devices.values()) device.link?.cut();
  },
  /** The owner unlinks every device. */
  logout(network: Network, user: User): void {
    for (const device of [...user.devices.values()]) unlinkDevice(network, device);
  },
  /** The number is banned: its devices are put out, and every login is refused from then on. */
  ban(network: Network, user: User): void {
    network.users.setBanned(user, true);
    for (const device of user.devices.values()) {
      device.link?.end(failure('403'));
    }
  },
  /** The ban is lifted. */
  unban(network: Network, user: User): void {
    network.users.setBanned(user, false);
  },
  /** Another connection has logged in with the same credentials. */
  replace(_network: Network, user: User): void {
    for (const device of user.devices.values()) device.link?.end(replaced());
  },
};

export function unlinkDevice(network: Network, device: Device): void {
  removeDevice(network.store, device);
  tellOfDevice(network, device, 'remove');
  network.log.info({ phone: shortPhone(device.user.phone), device: device.number }, 'device.unlinked');
  device.link?.end(stanza('stream:error', { code: '401' }, [stanza('conflict', { type: 'device_removed' })]));
}
