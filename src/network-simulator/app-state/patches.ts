import { createCipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import { hkdf, proto } from '@whiskeysockets/baileys';
import type { User } from '../accounts/user.ts';
import type { Network } from '../network.ts';
import { saltOf } from '../routing/privacy-tokens.ts';
import { addressOf } from '../wire/addresses.ts';
import { networkAddress, notification, stanza } from '../wire/stanza.ts';

/** One setting that a phone keeps in step with its devices. `value`: an encoded SyncActionValue. */
type Setting = { index: string[]; value: Uint8Array };

/** The key with which a phone seals its settings; every device gets it at its first login. */
export const settingsKeyId = Buffer.from([0, 0, 0, 0, 0, 1]);
const actionVersion = 2;

export function settingsKeyOf(network: Network, user: User): Buffer {
  const { private: secret } = network.endpoints.of(user).identityKeyPair;
  return createHash('sha256').update('settings').update(secret).digest();
}

/** The phone changes settings, and its devices are told that there is something to fetch. */
function changeSettings(
  network: Network,
  user: User,
  collection: string,
  settings: readonly Setting[],
): void {
  const version = network.settings.of(user, collection).length + 1;
  network.settings.add(user, collection, patchOf(settingsKeyOf(network, user), settings, version));
  for (const device of user.devices.values()) {
    const changed = stanza('collection', { name: collection, version: String(version) });
    network.queue.put(device, notification(networkAddress, 'server_sync', [changed]));
  }
}

function patchOf(key: Buffer, settings: readonly Setting[], version: number): Uint8Array {
  const keys = Buffer.from(hkdf(key, 160, { info: 'WhatsApp Mutation Keys' }));
  const unchecked = randomBytes(32);
  return proto.SyncdPatch.encode({
    version: { version },
    mutations: settings.map((setting) => mutationOf(keys, setting)),
    // Checksums over the whole collection: the client does not look at them unless it is told to.
    snapshotMac: unchecked,
    patchMac: unchecked,
    keyId: { id: settingsKeyId },
  }).finish();
}

function mutationOf(keys: Buffer, { index, value }: Setting): proto.ISyncdMutation {
  const indexBytes = Buffer.from(JSON.stringify(index));
  const action = [bytesField(1, indexBytes), bytesField(2, value), bytesField(3, Buffer.alloc(0))];
  const iv = randomBytes(16);
  const cipher = createCipheriv('aes-256-cbc', keys.subarray(32, 64), iv);
  const plain = Buffer.concat([...action, varintField(4, actionVersion)]);
  const sealed = Buffer.concat([iv, cipher.update(plain), cipher.final()]);
  return {
    operation: proto.SyncdMutation.SyncdOperation.SET,
    record: {
      index: { blob: createHmac('sha256', keys.subarray(0, 32)).update(indexBytes).digest() },
      value: { blob: Buffer.concat([sealed, valueMac(sealed, keys.subarray(64, 96))]) },
      keyId: { id: settingsKeyId },
    },
  };
}

function valueMac(sealed: Buffer, macKey: Buffer): Buffer {
  const set = Buffer.concat([Buffer.from([1]), settingsKeyId]);
  const length = Buffer.alloc(8);
  length[7] = set.length;
  const mac = createHmac('sha512', macKey).update(Buffer.concat([set, sealed, length]));
  return mac.digest().subarray(0, 32);
}

/** A field of a protocol buffer, encoded. For fields that the borrowed codec does not know. */
export function bytesField(field: number, content: Uint8Array): Buffer {
  return Buffer.concat([varint(field * 8 + 2), varint(content.length), content]);
}

function varintField(field: number, value: number): Buffer {
  return Buffer.concat([varint(field * 8), varint(value)]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 0x7f) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  return Buffer.from([...bytes, rest]);
}

/** Fields that the borrowed codec does not know. */
const saltActionInValue = 80;
const saltInAction = 1;

/** A phone's address book gets these entries. */
export function saveContacts(
  network: Network,
  user: User,
  contacts: readonly { phoneNumber: string; name: string }[],
): void {
  const settings = contacts.map(({ phoneNumber, name }): Setting => {
    const contact = network.users.ensure(phoneNumber);
    const contactAction = { fullName: name, lidJid: addressOf(contact, 'lid') };
    return {
      index: ['contact', addressOf(contact, 'pn')],
      value: proto.SyncActionValue.encode({ timestamp: Date.now(), contactAction }).finish(),
    };
  });
  changeSettings(network, user, 'critical_unblock_low', settings);
}

/** The name under which the account is known to others. */
export function shareName(network: Network, user: User): void {
  const value = proto.SyncActionValue.encode({ pushNameSetting: { name: user.name } }).finish();
  changeSettings(network, user, 'critical_block', [{ index: ['setting_pushName'], value }]);
}

/** The salt of the account's tokens, in the way that it reaches devices which were linked before there was one. */
export function shareSalt(network: Network, user: User): void {
  const value = bytesField(saltActionInValue, bytesField(saltInAction, saltOf(user)));
  changeSettings(network, user, 'regular_high', [{ index: ['nct_salt_sync'], value }]);
}
