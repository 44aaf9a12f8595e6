import { randomBytes } from 'node:crypto';
import { proto } from '@whiskeysockets/baileys';
import type { User } from '../accounts/user.ts';
import { encryptMedia } from '../media/encrypt-media.ts';
import type { Network } from '../network.ts';
import { type Stanza, stanza } from '../wire/stanza.ts';

/** The patches behind a version, as the network hands them out: in the answer itself, or as files to download. */
export async function collectionBehind(
  network: Network,
  user: User,
  collection: string,
  version: number,
): Promise<Stanza> {
  const patches = network.settings.of(user, collection);
  const attributes = { name: collection, version: String(Math.max(version, patches.length)) };
  const newer = patches.slice(version);
  if (newer.length === 0) return stanza('collection', attributes);
  if (user.script.sharesByDownload) {
    const files = version === 0 ? snapshotFile(network, newer) : patchFiles(network, newer);
    return stanza('collection', attributes, [await files]);
  }
  const inline = newer.map((patch) => stanza('patch', {}, Buffer.from(patch)));
  return stanza('collection', attributes, [stanza('patches', {}, inline)]);
}

/** All of a collection in one file, as a device gets it that has nothing of it yet. */
async function snapshotFile(network: Network, patches: readonly Uint8Array[]): Promise<Stanza> {
  const decoded = patches.map((patch) => proto.SyncdPatch.decode(patch));
  const records = new Map<string, proto.ISyncdRecord>();
  for (const { record } of decoded.flatMap(({ mutations }) => mutations)) {
    if (record) records.set(Buffer.from(record.index?.blob ?? []).toString('base64'), record);
  }
  const snapshot = proto.SyncdSnapshot.encode({
    version: { version: patches.length },
    records: [...records.values()],
    // A checksum over the whole collection: the client does not look at it unless it is told to.
    mac: randomBytes(32),
    keyId: decoded.at(-1)?.keyId ?? null,
  }).finish();
  const reference = proto.ExternalBlobReference.encode(await uploaded(network, snapshot)).finish();
  return stanza('snapshot', {}, Buffer.from(reference));
}

/** Patches whose changes stand in a file each. */
async function patchFiles(network: Network, patches: readonly Uint8Array[]): Promise<Stanza> {
  const outside: Stanza[] = [];
  for (const patch of patches) {
    const { mutations, ...rest } = proto.SyncdPatch.decode(patch);
    const changes = proto.SyncdMutations.encode({ mutations }).finish();
    const encoded = proto.SyncdPatch.encode({ ...rest, externalMutations: await uploaded(network, changes) });
    outside.push(stanza('patch', {}, Buffer.from(encoded.finish())));
  }
  return stanza('patches', {}, outside);
}

async function uploaded(network: Network, bytes: Uint8Array): Promise<proto.IExternalBlobReference> {
  const file = await encryptMedia(network, bytes, 'md-app-state', '');
  const { directPath, mediaKey, fileSha256, fileEncSha256 } = file;
  return { directPath, mediaKey, fileSha256, fileEncSha256, fileSizeBytes: bytes.length };
}
