import { proto } from '@whiskeysockets/baileys';
import { type KeyBundle, takeKeyBundle } from '../accounts/devices.ts';
import type { Device, User } from '../accounts/user.ts';
import { shortPhone } from '../log.ts';
import type { Network } from '../network.ts';
import { blob } from '../store.ts';
import { addressingOf, addressOf, isGroupAddress } from '../wire/addresses.ts';
import { childNamed, nowSeconds, requiredBytes, type Stanza, stanza } from '../wire/stanza.ts';
import type { Wrapping } from './content/message-content.ts';
import { groupMessageAttributes, sealedNode } from './phone-writing.ts';

/** A device could not read what the phone wrote: the phone begins a new session with it and sends the message again. */
export async function resendToDevice(
  network: Network,
  phone: User,
  device: Device,
  receipt: Stanza,
): Promise<void> {
  const id = receipt.attrs.id ?? '';
  const row = network.store.get(
    'SELECT chat, content, wrapping FROM phone_sent WHERE message_id = ? AND user_id = ?',
    id,
    phone.id,
  );
  const attempt = childNamed(receipt, 'retry')?.attrs.count ?? '1';
  network.log.info(
    { phone: shortPhone(phone.phone), id, attempt, known: row !== undefined },
    'phone.asked-again',
  );
  if (!row) return;
  const chat = String(row.chat);
  const message = proto.Message.decode(blob(row.content));
  const wrapping = JSON.parse(String(row.wrapping)) as Wrapping;
  const endpoint = network.endpoints.of(phone);
  await endpoint.inTurn(async () => {
    await endpoint.beginSession(device, keysIn(receipt) ?? takeKeyBundle(network.store, device));
    if (isGroupAddress(chat)) {
      const distribution = await endpoint.senderKeyOf(chat);
      const content = {
        ...message,
        senderKeyDistributionMessage: { groupId: chat, axolotlSenderKeyDistributionMessage: distribution },
      };
      const enc = await sealedNode(network, phone, device, content, wrapping, attempt);
      network.queue.put(device, stanza('message', groupMessageAttributes(phone, chat, id, wrapping), [enc]));
      return;
    }
    const own = addressingOf(chat);
    const alternate = own === 'lid' ? 'pn' : 'lid';
    const isCopy = device.user === phone;
    const content = isCopy ? { deviceSentMessage: { destinationJid: chat, message } } : message;
    const enc = await sealedNode(network, phone, device, content, wrapping, attempt);
    const peer = network.users.byAddress(chat);
    const attributes = {
      from: addressOf(phone, own),
      recipient: isCopy ? chat : undefined,
      type: wrapping.stanzaType,
      id,
      t: nowSeconds(),
      notify: phone.name,
      addressing_mode: own,
      ...(isCopy
        ? { [`peer_recipient_${alternate}`]: peer && addressOf(peer, alternate) }
        : { [`sender_${alternate}`]: addressOf(phone, alternate) }),
    };
    network.queue.put(device, stanza('message', attributes, [enc]));
  });
}

/** From the second attempt on a device sends fresh keys along. */
function keysIn(receipt: Stanza): KeyBundle | undefined {
  const keys = childNamed(receipt, 'keys');
  const prekey = childNamed(keys, 'key');
  const signed = childNamed(keys, 'skey');
  if (!keys || !prekey || !signed) return undefined;
  return {
    registration: requiredBytes(receipt, 'registration'),
    identityKey: requiredBytes(keys, 'identity'),
    signedPrekey: {
      id: requiredBytes(signed, 'id'),
      publicKey: requiredBytes(signed, 'value'),
      signature: requiredBytes(signed, 'signature'),
    },
    prekey: {
      id: requiredBytes(prekey, 'id').readUIntBE(0, 3),
      publicKey: requiredBytes(prekey, 'value'),
    },
  };
}
