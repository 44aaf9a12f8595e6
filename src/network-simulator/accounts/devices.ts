import { blob, type Store } from '../store/database.ts';
import type { Device, User } from './user.ts';

export type DeviceKeys = {
  noiseKey: Uint8Array;
  identityKey: Uint8Array;
  registration: Uint8Array;
  signedPrekeyId: Uint8Array;
  signedPrekey: Uint8Array;
  signedPrekeySignature: Uint8Array;
};

/** Writes a freshly linked device. It takes part in the network only from `addDevice` on. */
export function addDevice(
  store: Store,
  user: User,
  number: number,
  keys: DeviceKeys,
  platform: string,
): Device {
  const { rowId } = store.write(
    `INSERT INTO devices (user_id, number, noise_key, identity_key, registration, signed_prekey_id, signed_prekey,
       signed_prekey_signature, platform) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    user.id,
    number,
    keys.noiseKey,
    keys.identityKey,
    keys.registration,
    keys.signedPrekeyId,
    keys.signedPrekey,
    keys.signedPrekeySignature,
    platform,
  );
  const device: Device = {
    id: rowId,
    user,
    number,
    noiseKey: Buffer.from(keys.noiseKey),
    identityKey: Buffer.from(keys.identityKey),
    platform,
    historyShared: false,
    link: undefined,
  };
  user.devices.set(number, device);
  return device;
}

/** Unlinks a device: its keys and what still waited for it are gone. */
export function removeDevice(store: Store, device: Device): void {
  device.user.devices.delete(device.number);
  for (const table of ['prekeys', 'device_queue', 'awaited_resends']) {
    store.write(`DELETE FROM ${table} WHERE device_id = ?`, device.id);
  }
  store.write('DELETE FROM devices WHERE id = ?', device.id);
}

export function loadDevices(store: Store, user: User): Device[] {
  return store.all('SELECT * FROM devices WHERE user_id = ?', user.id).map((row) => ({
    id: Number(row.id),
    user,
    number: Number(row.number),
    noiseKey: blob(row.noise_key),
    identityKey: blob(row.identity_key),
    platform: String(row.platform),
    historyShared: row.history_shared === 1,
    link: undefined,
  }));
}

export function markHistoryShared(store: Store, device: Device): void {
  device.historyShared = true;
  store.write('UPDATE devices SET history_shared = 1 WHERE id = ?', device.id);
}
