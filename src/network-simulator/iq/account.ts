import { randomBytes } from 'node:crypto';
import { proto } from '@whiskeysockets/baileys';
import type { User } from '../accounts/user.ts';
import { encryptMedia } from '../media/encrypt-media.ts';
import type { Network } from '../network.ts';
import { addressOf } from '../wire/addresses.ts';
import { bytesOf, childNamed, childrenNamed, nowSeconds, type Stanza, stanza } from '../wire/stanza.ts';
import { type Answer, type AnswerSoon, notFound, type Query } from './query.ts';

const privacyCategories = ['readreceipts', 'last', 'profile', 'status', 'online', 'groupadd', 'calladd'];
const withoutContent = new Set(['w:p', 'passive', 'urn:xmpp:whatsapp:dirty', 'w:stats', 'w', 'tos']);
const mediaBytesMax = 104_857_600;

/** The small questions every client asks about its account; all of them have one plain answer here. */
export function answerAccount(query: Query): AnswerSoon {
  const { network, device, iq, asked } = query;
  const xmlns = iq.attrs.xmlns ?? '';
  switch (xmlns) {
    case 'w:m':
      return {
        content: [
          stanza(
            'media_conn',
            { auth: network.media.auth, ttl: '3600', auth_ttl: '21600', max_buckets: '12' },
            [
              stanza('host', {
                hostname: network.mediaHost(),
                maxContentLengthBytes: String(mediaBytesMax),
              }),
            ],
          ),
        ],
      };
    case 'privacy': {
      if (asked?.tag === 'tokens') return { content: [stanza('tokens', {}, [])] };
      const categories = privacyCategories.map((name) => stanza('category', { name, value: 'all' }));
      return { content: [stanza('privacy', {}, categories)] };
    }
    case 'abt':
      return { content: [stanza('props', { protocol: '1', hash: 'simulated' }, [])] };
    case 'blocklist':
      return answerBlocklist(query);
    case 'status':
      return answerStatus(query);
    case 'w:sync:app:state': {
      const collections = childrenNamed(childNamed(iq, 'sync'), 'collection').map(({ attrs }) =>
        collectionBehind(network, device.user, attrs.name ?? '', Number(attrs.version ?? 0)),
      );
      return Promise.all(collections).then((all) => ({ content: [stanza('sync', {}, all)] }));
    }
    case 'w:mex':
      return { content: [stanza('result', {}, Buffer.from(JSON.stringify(accountStanding(device.user))))] };
    case 'w:profile:picture':
      return answerPicture(query);
    default:
      if (!withoutContent.has(xmlns)) network.log.info({ xmlns, asked: asked?.tag }, 'query.unknown');
      return {};
  }
}

/** One document answers every query of this kind: a client reads its own part. */
const accountStanding = ({ faults: { newChatsFrom } }: User) => ({
  data: {
    xwa2_fetch_account_reachout_timelock: {
      is_active: newChatsFrom !== null && newChatsFrom > Date.now(),
      time_enforcement_ends: String(Math.floor((newChatsFrom ?? 0) / 1000)),
    },
    xwa2_message_capping_info: {
      total_quota: -1,
      used_quota: 0,
      cycle_start_timestamp: '0',
      cycle_end_timestamp: '0',
      capping_status: 'NONE',
    },
  },
});

/** The patches behind a version, as the network hands them out: in the answer itself, or as files to download. */
async function collectionBehind(
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

/** `w:profile:picture`: pictures are set and asked for; their address is one of the simulator's own. */
function answerPicture({ network, device, iq, asked }: Query): Answer {
  const { profiles } = network;
  if (iq.attrs.type === 'set') {
    // Of a group nothing is kept.
    if (iq.attrs.target === undefined) {
      profiles.setPicture(device.user, asked?.tag === 'picture' ? bytesOf(asked) : null);
    }
    return { content: [stanza('picture', { id: nowSeconds() })] };
  }
  const shown = network.users.byAddress(iq.attrs.target);
  if (!shown || !profiles.picture(shown)) return notFound;
  const url = `https://${network.mediaHost()}/profile-pictures/${shown.phone}`;
  return { content: [stanza('picture', { id: '1', type: 'image', url })] };
}

/** `status`: a device sets the line under its account's name. */
function answerStatus({ network, device, asked }: Query): Answer {
  if (asked?.tag === 'status') network.profiles.setAbout(device.user, bytesOf(asked).toString());
  return {};
}

/** `blocklist`: whom an account has blocked. */
function answerBlocklist({ network, device, iq, asked }: Query): Answer {
  const { profiles, users } = network;
  if (iq.attrs.type === 'set') {
    const other = users.byAddress(asked?.attrs.jid);
    if (!other) return notFound;
    profiles.setBlocked(device.user, other, asked?.attrs.action === 'block');
  }
  const items = profiles
    .blocked(device.user)
    .flatMap((id) => users.byId(id) ?? [])
    .map((user) => stanza('item', { jid: addressOf(user, 'lid') }));
  return { content: [stanza('list', {}, items)] };
}
