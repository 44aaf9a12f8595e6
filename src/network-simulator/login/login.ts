import { randomBytes } from 'node:crypto';
import { proto } from '@whiskeysockets/baileys';
import { removeDevice } from '../accounts/devices.ts';
import { tellOfDevice } from '../accounts/tell-of-device.ts';
import type { Device, User } from '../accounts/user.ts';
import { shortPhone } from '../log.ts';
import type { Network } from '../network.ts';
import { addressOf } from '../wire/addresses.ts';
import type { ClientConnection } from '../wire/client-connection.ts';
import { networkAddress, newStanzaId, nowSeconds, type Stanza, stanza } from '../wire/stanza.ts';

const refsOffered = 6;

/** The handshake is over: the client either wants to be linked, or logs in as a device that is. */
export function openSession(network: Network, connection: ClientConnection, encoded: Uint8Array): void {
  const payload = proto.ClientPayload.decode(encoded);
  if (payload.devicePairingData) offerPairing(network, connection, payload);
  else logIn(network, connection, payload);
}

function offerPairing(network: Network, connection: ClientConnection, payload: proto.ClientPayload): void {
  const registration = payload.devicePairingData ?? {};
  const properties = proto.DeviceProps.decode(registration.deviceProps ?? new Uint8Array(0));
  connection.registration = {
    payload: registration,
    pushName: payload.pushName || undefined,
    platform: properties.os ?? '',
  };
  const refs = Array.from({ length: refsOffered }, () => `2@${randomBytes(40).toString('base64url')}`);
  network.pairings.offer(connection, refs);
  connection.send(
    stanza('iq', { from: networkAddress, type: 'set', id: newStanzaId(), xmlns: 'md' }, [
      stanza(
        'pair-device',
        {},
        refs.map((ref) => stanza('ref', {}, Buffer.from(ref))),
      ),
    ]),
  );
}

function logIn(network: Network, connection: ClientConnection, payload: proto.ClientPayload): void {
  const user = network.users.byPhone(String(payload.username ?? ''));
  const device = user?.devices.get(payload.device ?? 0);
  const refusal = user && failureOf(user);
  const phone = user?.phone ?? '';
  if (refusal) {
    network.logins.note(phone, 'refused');
    refuse(network, connection, refusal, phone);
    return;
  }
  if (!user || !device?.noiseKey.equals(connection.clientKey)) {
    network.logins.note(phone, 'refused');
    refuse(network, connection, failure('401'), phone);
    return;
  }
  if (user.faults.refuseConnections) {
    connection.cut();
    return;
  }
  user.faults.isDeaf = false;
  network.logins.note(phone, device.link ? 'replaced another' : 'logged in');
  if (device.link) {
    network.replacedLogins += 1;
    network.log.warn({ phone: shortPhone(user.phone), device: device.number }, 'device.login_replaced');
    device.link.end(replaced());
  }
  device.link = connection;
  connection.device = device;
  network.log.info({ phone: shortPhone(user.phone), device: device.number }, 'device.logged-in');
  connection.send(
    stanza('success', {
      t: nowSeconds(),
      lid: addressOf(user, 'lid', device.number),
      display_name: user.name,
      abprops: '1',
      companion_enc_static: 'none',
      creation: nowSeconds(),
      props: '27',
    }),
  );
}

function refuse(network: Network, connection: ClientConnection, refusal: Stanza, phone: string): void {
  network.log.info({ phone: shortPhone(phone), reason: refusal.attrs.reason }, 'login.refused');
  connection.end(refusal);
}

/** The last word to a connection whose place another one took. */
function replaced() {
  return stanza('stream:error', {}, [stanza('conflict', { type: 'replaced' })]);
}

/** Forgets a connection that is closed. */
export function closeSession(network: Network, connection: ClientConnection): void {
  network.connections.delete(connection);
  network.pairings.forget(connection);
  const { device } = connection;
  if (device?.link !== connection) return;
  device.link = undefined;
  network.log.info({ phone: shortPhone(device.user.phone), device: device.number }, 'device.offline');
}

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

/** The last word to a device that is refused, or put out. */
function failure(reason: string, expiresInSeconds?: number): Stanza {
  const expire = expiresInSeconds === undefined ? undefined : String(expiresInSeconds);
  return stanza('failure', { reason, location: 'frc', expire });
}

/** How the logins of a number are refused now; undefined while they are not. */
export function failureOf(user: User): Stanza | undefined {
  if (user.banned) return failure('403');
  const set = user.faults.failure;
  if (!set || (set.endsAt !== null && set.endsAt <= Date.now())) return undefined;
  const leftSeconds = set.endsAt === null ? undefined : Math.ceil((set.endsAt - Date.now()) / 1000);
  return failure(set.reason, leftSeconds);
}
