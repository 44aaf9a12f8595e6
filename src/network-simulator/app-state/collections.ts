import { createCipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import { hkdf, proto } from '@whiskeysockets/baileys';
import type { User } from '../accounts/users.ts';
import type { Network } from '../network.ts';
import { networkAddress, newStanzaId, nowSeconds, type Stanza, stanza } from '../wire/stanza.ts';
import { bytesField, varintField } from './encode-fields.ts';
import { patchFiles, snapshotFile } from './settings-files.ts';

/** One setting that a phone keeps in step with its devices. `value`: an encoded SyncActionValue. */
export type Setting = { index: string[]; value: Uint8Array };

/** The key with which a phone seals its settings; every device gets it at its first login. */
export const settingsKeyId = Buffer.from([0, 0, 0, 0, 0, 1]);
const actionVersion = 2;

export function settingsKeyOf(network: Network, user: User): Buffer {
  const { private: secret } = network.endpoints.of(user).identityKeyPair;
  return createHash('sha256').update('settings').update(secret).digest();
}

/** What phones have put into their collections, as patches. Ends with the process. */
export class SettingsCollections {
  readonly #patches = new Map<User, Map<string, Uint8Array[]>>();

  /** Adds settings in one patch. Answers the collection's version from then on. */
  add(network: Network, user: User, collection: string, settings: readonly Setting[]): number {
    const ofUser = this.#patches.get(user) ?? new Map<string, Uint8Array[]>();
    this.#patches.set(user, ofUser);
    const patches = ofUser.get(collection) ?? [];
    ofUser.set(collection, patches);
    patches.push(patchOf(settingsKeyOf(network, user), settings, patches.length + 1));
    return patches.length;
  }

  /** The patches behind a version, as the network hands them out: in the answer itself, or as files to download. */
  behind(network: Network, user: User, collection: string, version: number): Stanza | Promise<Stanza> {
    const patches = this.#patches.get(user)?.get(collection) ?? [];
    const attributes = { name: collection, version: String(Math.max(version, patches.length)) };
    const newer = patches.slice(version);
    if (newer.length === 0) return stanza('collection', attributes);
    if (user.script.sharesByDownload) {
      const files = version === 0 ? snapshotFile(network, newer) : patchFiles(network, newer);
      return files.then((content) => stanza('collection', attributes, [content]));
    }
    const inline = newer.map((patch) => stanza('patch', {}, Buffer.from(patch)));
    return stanza('collection', attributes, [stanza('patches', {}, inline)]);
  }
}

/** The phone changes settings, and its devices are told that there is something to fetch. */
export function changeSettings(
  network: Network,
  user: User,
  collection: string,
  settings: readonly Setting[],
): void {
  const version = String(network.settings.add(network, user, collection, settings));
  for (const device of user.devices.values()) {
    const attributes = { from: networkAddress, type: 'server_sync', id: newStanzaId(), t: nowSeconds() };
    const changed = stanza('collection', { name: collection, version });
    network.queue.put(device, stanza('notification', attributes, [changed]));
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
