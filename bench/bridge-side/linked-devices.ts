import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  type AuthenticationCreds,
  Curve,
  initAuthCreds,
  type KeyPair,
  xmppSignedPreKey,
} from '@whiskeysockets/baileys';
import { addDevice, addPrekeys, markHistoryShared } from '../../src/network-simulator/accounts/devices.ts';
import { Users } from '../../src/network-simulator/accounts/users.ts';
import { Store } from '../../src/network-simulator/store.ts';
import { addressOf } from '../../src/network-simulator/wire/addresses.ts';
import { bytesOf, requiredBytes } from '../../src/network-simulator/wire/stanza.ts';

/** What a client makes and uploads when it is linked. */
const prekeysOfDevice = 812;

/** Devices that are linked already, as their pairing would have left them. */
export interface LinkedDevices {
  credentials: AuthenticationCreds[];
  /** The one-time keys, by id: the same ones for every device, since nobody is going to use them. */
  prekeys: Record<string, KeyPair>;
}

/**
 * Writes linked devices, one a phone, into the state of a simulator that is not running yet. A pairing takes a tenth
 * of a second and leaves the same rows.
 */
export function linkDevices(simulatorHome: string, phones: readonly string[]): LinkedDevices {
  mkdirSync(simulatorHome, { recursive: true });
  const store = new Store(join(simulatorHome, 'network.db'));
  try {
    const users = new Users(store);
    const prekeys: Record<string, KeyPair> = {};
    for (let id = 1; id <= prekeysOfDevice; id += 1) prekeys[id] = Curve.generateKeyPair();
    const uploaded = Object.entries(prekeys).map(([id, key]) => ({
      id: Number(id),
      publicKey: Buffer.from(key.public),
    }));
    const credentials = phones.map((phone) => {
      const creds = initAuthCreds();
      const user = users.ensure(phone);
      const number = users.nextDeviceNumber(user);
      const registration = Buffer.alloc(4);
      registration.writeUInt32BE(creds.registrationId);
      const signed = xmppSignedPreKey(creds.signedPreKey);
      const device = addDevice(
        store,
        user,
        number,
        {
          noiseKey: creds.noiseKey.public,
          identityKey: creds.signedIdentityKey.public,
          registration,
          signedPrekeyId: requiredBytes(signed, 'id'),
          signedPrekey: requiredBytes(signed, 'value'),
          signedPrekeySignature: requiredBytes(signed, 'signature'),
        },
        'Chrome',
      );
      addPrekeys(store, device, uploaded);
      markHistoryShared(store, device);
      return {
        ...creds,
        me: { id: addressOf(user, 'pn', number), lid: addressOf(user, 'lid', number), name: user.name },
        account: {
          details: bytesOf(undefined),
          accountSignatureKey: creds.signedIdentityKey.public,
          accountSignature: Buffer.alloc(64),
          deviceSignature: Buffer.alloc(64),
        },
        nextPreKeyId: prekeysOfDevice + 1,
        firstUnuploadedPreKeyId: prekeysOfDevice + 1,
        // The first history has come.
        accountSyncCounter: 1,
      };
    });
    return { credentials, prekeys };
  } finally {
    store.close();
  }
}
