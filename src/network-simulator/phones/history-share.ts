import { deflateSync } from 'node:zlib';
import { encodeWAMessage, proto } from '@whiskeysockets/baileys';
import { type Device, markHistoryShared } from '../accounts/devices.ts';
import { settingsKeyId, settingsKeyOf } from '../app-state/collections.ts';
import { bytesField } from '../app-state/encode-fields.ts';
import type { Network } from '../network.ts';
import { saltOf } from '../routing/privacy-tokens.ts';
import { addressOf } from '../wire/addresses.ts';
import { peerMessage } from './peer-messages.ts';

const sharedMappingsMax = 50;
/** A field that the borrowed codec does not know. */
const saltInHistory = 19;

/**
 * What a phone gives a device at its first login: a key for synchronised settings, and a history that holds no chats
 * but the pairs of phone number and alias. A device waits for it before it shows itself as open.
 */
export async function shareHistory(network: Network, device: Device): Promise<void> {
  const { user } = device;
  const types = proto.Message.ProtocolMessage.Type;
  const encoded = proto.HistorySync.encode({
    syncType: proto.HistorySync.HistorySyncType.INITIAL_BOOTSTRAP,
    chunkOrder: 0,
    progress: 100,
    conversations: [],
    phoneNumberToLidMappings: network.users
      .newest(sharedMappingsMax)
      .filter((one) => !one.script.hidesNumber)
      .map((one) => ({ pnJid: addressOf(one, 'pn'), lidJid: addressOf(one, 'lid') })),
  }).finish();
  const salt = user.script.saltInHistory ? bytesField(saltInHistory, saltOf(user)) : Buffer.alloc(0);
  const history = Buffer.concat([encoded, salt]);
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
    {
      type: types.HISTORY_SYNC_NOTIFICATION,
      historySyncNotification: {
        syncType: proto.HistorySync.HistorySyncType.INITIAL_BOOTSTRAP,
        chunkOrder: 0,
        progress: 100,
        initialHistBootstrapInlinePayload: deflateSync(history),
        fileLength: history.length,
      },
    },
  ];
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
