import { deflateSync } from 'node:zlib';
import { encodeWAMessage, proto } from '@whiskeysockets/baileys';
import { markHistoryShared } from '../accounts/devices.ts';
import type { Device } from '../accounts/user.ts';
import { bytesField, settingsKeyId, settingsKeyOf } from '../app-state/patches.ts';
import { encryptMedia } from '../media/encrypt-media.ts';
import type { Network } from '../network.ts';
import { saltOf } from '../routing/privacy-tokens.ts';
import { addressOf } from '../wire/addresses.ts';
import { peerMessage } from './peer-messages.ts';

const sharedMappingsMax = 50;
/** A field that the borrowed codec does not know. */
const saltInHistory = 19;

const partTypes = proto.HistorySync.HistorySyncType;
type HistoryPart = { syncType: proto.HistorySync.HistorySyncType; bytes: Uint8Array };

/**
 * What a phone gives a device at its first login: a key for synchronised settings, and a history that holds no chats
 * but the pairs of phone number and alias. It stands in the message itself, or the device downloads it, and then the
 * names of people too. A device waits for it before it shows itself as open.
 */
export async function shareHistory(network: Network, device: Device): Promise<void> {
  const { user } = device;
  const types = proto.Message.ProtocolMessage.Type;
  const known = network.users.newest(sharedMappingsMax).filter((one) => !one.script.hidesNumber);
  const encoded = proto.HistorySync.encode({
    syncType: partTypes.INITIAL_BOOTSTRAP,
    chunkOrder: 0,
    progress: 100,
    conversations: [],
    phoneNumberToLidMappings: known.map((one) => ({
      pnJid: addressOf(one, 'pn'),
      lidJid: addressOf(one, 'lid'),
    })),
  }).finish();
  const salt = user.script.saltInHistory ? bytesField(saltInHistory, saltOf(user)) : Buffer.alloc(0);
  const parts: HistoryPart[] = [
    { syncType: partTypes.INITIAL_BOOTSTRAP, bytes: Buffer.concat([encoded, salt]) },
  ];
  if (user.script.sharesByDownload) {
    const pushnames = known.map((one) => ({ id: addressOf(one, 'pn'), pushname: one.name }));
    const syncType = partTypes.PUSH_NAME;
    parts.push({ syncType, bytes: proto.HistorySync.encode({ syncType, pushnames }).finish() });
  }
  const contents: proto.Message.IProtocolMessage[] = [
    {
      type: types.APP_STATE_SYNC_KEY_SHARE,
      appStateSyncKeyShare: {
        keys: [
          {
            keyId: { keyId: settingsKeyId },
            keyData: {
              keyData: settingsKeyOf(network, user),
              fingerprint: { rawId: 1, currentIndex: 0, deviceIndexes: [0] },
              timestamp: Date.now(),
            },
          },
        ],
      },
    },
  ];
  for (const part of parts) {
    const historySyncNotification = await (user.script.sharesByDownload ? uploaded : inline)(network, part);
    contents.push({ type: types.HISTORY_SYNC_NOTIFICATION, historySyncNotification });
  }
  const endpoint = network.endpoints.of(user);
  await endpoint.inTurn(async () => {
    const sealed = [];
    for (const protocolMessage of contents) {
      sealed.push(await endpoint.sealFor(device, encodeWAMessage({ protocolMessage })));
    }
    markHistoryShared(network.store, device);
    for (const one of sealed) network.queue.put(device, peerMessage(user, one));
  });
}

function inline(_network: Network, { syncType, bytes }: HistoryPart): proto.Message.IHistorySyncNotification {
  return {
    syncType,
    chunkOrder: 0,
    progress: 100,
    initialHistBootstrapInlinePayload: deflateSync(bytes),
    fileLength: bytes.length,
  };
}

async function uploaded(
  network: Network,
  { syncType, bytes }: HistoryPart,
): Promise<proto.Message.IHistorySyncNotification> {
  const file = await encryptMedia(network, deflateSync(bytes), 'md-msg-hist', '');
  const { directPath, mediaKey, fileSha256, fileEncSha256, fileLength } = file;
  return {
    syncType,
    chunkOrder: 0,
    progress: 100,
    directPath,
    mediaKey,
    fileSha256,
    fileEncSha256,
    fileLength,
  };
}
