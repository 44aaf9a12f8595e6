import { deflateSync } from 'node:zlib';
import { encodeWAMessage, proto } from '@whiskeysockets/baileys';
import { markHistoryShared } from '../accounts/devices.ts';
import type { Device, User } from '../accounts/user.ts';
import { bytesField, settingsKeyId, settingsKeyOf } from '../app-state/patches.ts';
import { encryptMedia } from '../media/encrypt-media.ts';
import type { Network } from '../network.ts';
import { saltOf } from '../routing/privacy-tokens.ts';
import { blob } from '../store.ts';
import { addressOf } from '../wire/addresses.ts';
import { newMessageId, nowSeconds, type Stanza, stanza } from '../wire/stanza.ts';
import type { SignalEndpoint } from './signal-endpoint.ts';

type Sealed = Awaited<ReturnType<SignalEndpoint['sealFor']>>;

/** What a phone tells one of its own devices, beside all chats. */
function peerMessage(user: User, { type, ciphertext }: Sealed): Stanza {
  const attributes = {
    from: addressOf(user, 'pn'),
    type: 'text',
    category: 'peer',
    id: newMessageId(),
    t: nowSeconds(),
    notify: user.name,
    peer_recipient_lid: addressOf(user, 'lid'),
  };
  return stanza('message', attributes, [stanza('enc', { v: '2', type }, ciphertext)]);
}

/** A device asks its phone for messages of which the network only told it that they are there. */
export async function answerDevice(
  network: Network,
  phone: User,
  device: Device,
  content: proto.IMessage,
): Promise<void> {
  const request = content.protocolMessage?.peerDataOperationRequestMessage;
  const results = (request?.placeholderMessageResendRequest ?? []).flatMap(({ messageKey }) => {
    const row = network.store.get(
      'SELECT content FROM phone_sent WHERE message_id = ? ORDER BY seq DESC',
      messageKey?.id ?? '',
    );
    if (!row || !messageKey) return [];
    const webMessageInfoBytes = proto.WebMessageInfo.encode({
      key: messageKey,
      message: proto.Message.decode(blob(row.content)),
      messageTimestamp: Math.floor(Date.now() / 1000),
    }).finish();
    return [{ placeholderMessageResendResponse: { webMessageInfoBytes } }];
  });
  if (results.length === 0) return;
  const protocolMessage = {
    type: proto.Message.ProtocolMessage.Type.PEER_DATA_OPERATION_REQUEST_RESPONSE_MESSAGE,
    peerDataOperationRequestResponseMessage: {
      peerDataOperationRequestType: proto.Message.PeerDataOperationRequestType.PLACEHOLDER_MESSAGE_RESEND,
      peerDataOperationResult: results,
    },
  };
  const endpoint = network.endpoints.of(phone);
  await endpoint.inTurn(async () => {
    const sealed = await endpoint.sealFor(device, encodeWAMessage({ protocolMessage }));
    network.queue.put(device, peerMessage(phone, sealed));
  });
}

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
