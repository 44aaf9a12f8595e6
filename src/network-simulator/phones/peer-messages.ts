import { encodeWAMessage, proto } from '@whiskeysockets/baileys';
import type { Device, User } from '../accounts/user.ts';
import type { Network } from '../network.ts';
import { blob } from '../store/database.ts';
import { addressOf } from '../wire/addresses.ts';
import { newMessageId, nowSeconds, type Stanza, stanza } from '../wire/stanza.ts';
import type { SignalEndpoint } from './signal/signal-endpoint.ts';

type Sealed = Awaited<ReturnType<SignalEndpoint['sealFor']>>;

/** What a phone tells one of its own devices, beside all chats. */
export function peerMessage(user: User, { type, ciphertext }: Sealed): Stanza {
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
