import { blob, type Store } from '../store.ts';
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

type PublicKey = { id: number; publicKey: Buffer };
export type KeyBundle = {
  registration: Buffer;
  identityKey: Buffer;
  signedPrekey: { id: Buffer; publicKey: Buffer; signature: Buffer };
  /** Each is handed out once; none when the device has run out of them. */
  prekey: PublicKey | undefined;
};

/** One-time keys are rows of a few bytes: a device uploads 812 of them, and they must not live in memory. */
export function addPrekeys(store: Store, device: Device, prekeys: PublicKey[]): void {
  for (const { id, publicKey } of prekeys) {
    store.write(
      'INSERT OR REPLACE INTO prekeys (device_id, key_id, public_key) VALUES (?, ?, ?)',
      device.id,
      id,
      publicKey,
    );
  }
}

export function countPrekeys(store: Store, device: Device): number {
  return Number(store.get('SELECT count(*) AS n FROM prekeys WHERE device_id = ?', device.id)?.n);
}

export function replaceSignedPrekey(
  store: Store,
  device: Device,
  signed: { id: Uint8Array; publicKey: Uint8Array; signature: Uint8Array },
): void {
  store.write(
    'UPDATE devices SET signed_prekey_id = ?, signed_prekey = ?, signed_prekey_signature = ? WHERE id = ?',
    signed.id,
    signed.publicKey,
    signed.signature,
    device.id,
  );
}

/** What a device uploads beside its one-time keys. */
export function replaceIdentity(
  store: Store,
  device: Device,
  registration: Uint8Array,
  identityKey: Uint8Array,
): void {
  device.identityKey = Buffer.from(identityKey);
  store.write(
    'UPDATE devices SET registration = ?, identity_key = ? WHERE id = ?',
    registration,
    identityKey,
    device.id,
  );
}

/** The public keys another device needs to write to this one; a one-time key is used up by it. */
export function takeKeyBundle(store: Store, device: Device): KeyBundle {
  const bundle = readKeyBundle(store, device);
  const row = store.writeReturning(
    `DELETE FROM prekeys WHERE device_id = ? AND key_id = (SELECT min(key_id) FROM prekeys WHERE device_id = ?)
     RETURNING key_id, public_key`,
    device.id,
    device.id,
  );
  return { ...bundle, prekey: row && { id: Number(row.key_id), publicKey: blob(row.public_key) } };
}

export function readKeyBundle(store: Store, device: Device): KeyBundle {
  const row = store.get('SELECT * FROM devices WHERE id = ?', device.id);
  return {
    registration: blob(row?.registration),
    identityKey: blob(row?.identity_key),
    signedPrekey: {
      id: blob(row?.signed_prekey_id),
      publicKey: blob(row?.signed_prekey),
      signature: blob(row?.signed_prekey_signature),
    },
    prekey: undefined,
  };
}
