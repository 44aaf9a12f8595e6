import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { proto } from '@whiskeysockets/baileys';
import type { Device, User } from '../accounts/user.ts';
import { chatNamed } from '../activity/accept-activity.ts';
import { shortPhone } from '../log.ts';
import type { Network } from '../network.ts';
import { fileIn } from '../phones/content/message-text.ts';
import { resendToDevice } from '../phones/resend-to-device.ts';
import { blob } from '../store.ts';
import { type Addressing, addressingOf, addressOf, isGroupAddress, parseAddress } from '../wire/addresses.ts';
import type { ClientConnection } from '../wire/client-connection.ts';
import { childNamed, childrenNamed, notification, nowSeconds, type Stanza, stanza } from '../wire/stanza.ts';

/** A device confirms messages. It is acknowledged at once; what it says goes on to the author. */
export function acceptReceipt(network: Network, connection: ClientConnection, receipt: Stanza): void {
  const device = connection.device;
  const { id, to, type, participant } = receipt.attrs;
  if (!device || !id || !to) return;
  const more = childrenNamed(childNamed(receipt, 'list'), 'item').map((item) => item.attrs.id ?? '');
  const ids = [id, ...more];
  if (type === 'retry') connection.askedAgain.add(id);
  for (const messageId of ids) network.queue.messageReceived(device, messageId);
  connection.send(stanza('ack', { class: 'receipt', id, from: to, type, participant }));
  switch (type) {
    case 'retry':
      forwardRetry(network, device, receipt);
      return;
    case 'sender':
    case 'read-self':
      forwardToOwnDevices(network, device, receipt);
      return;
    case undefined:
    case 'inactive': // A client that takes itself for offline says so; the author learns that it was delivered.
      network.activity.note(device.user, 'confirmed', chatNamed(network, to), type ?? 'delivered');
      forwardToAuthor(network, device, receipt, ids, undefined);
      return;
    case 'read':
    case 'played':
      for (const messageId of ids)
        network.activity.note(device.user, 'read', chatNamed(network, to), messageId);
      forwardToAuthor(network, device, receipt, ids, type);
      return;
    case 'server-error':
      answerMediaRetry(network, device, receipt).catch((error: unknown) => {
        network.log.error({ reason: String(error) }, 'media.retry-failed');
      });
      return;
    default: // `peer_msg` and `hist_sync` are between a device and its own phone.
  }
}

/** A phone confirms a message, to all devices of its author. */
export function sendPhoneReceipt(
  network: Network,
  phone: User,
  author: User,
  receipt: {
    messageId: string;
    type: 'delivered' | 'read';
    groupId: string | null;
    addressing: Addressing;
  },
): void {
  const { messageId, type, groupId, addressing } = receipt;
  const attributes = {
    id: messageId,
    from: groupId ?? addressOf(phone, addressing),
    participant: groupId ? addressOf(phone, 'lid') : undefined,
    type: type === 'read' ? 'read' : undefined,
    t: nowSeconds(),
  };
  for (const device of author.devices.values()) network.queue.put(device, stanza('receipt', attributes));
}

/**
 * The sender's own phone has its copy: the proof, also after a crash of the sender, that the network took the message.
 * It comes whatever the phone's script says.
 */
export function sendSenderReceipt(network: Network, sender: Device, messageId: string, chat: string): void {
  const inGroup = isGroupAddress(chat);
  const attributes = {
    id: messageId,
    type: 'sender',
    from: inGroup ? chat : addressOf(sender.user, addressingOf(chat)),
    participant: inGroup ? addressOf(sender.user, 'lid') : undefined,
    recipient: inGroup ? undefined : chat,
    t: nowSeconds(),
  };
  network.queue.put(sender, stanza('receipt', attributes));
}

function forwardToAuthor(
  network: Network,
  from: Device,
  receipt: Stanza,
  ids: string[],
  type: string | undefined,
): void {
  const { to = '', participant } = receipt.attrs;
  const inGroup = isGroupAddress(to);
  const author = network.users.byAddress(inGroup ? participant : to);
  if (!author) return;
  const [first, ...rest] = ids;
  const items = rest.map((id) => stanza('item', { id }));
  const content = items.length > 0 ? [stanza('list', {}, items)] : undefined;
  const attributes = {
    id: first,
    type,
    from: inGroup ? to : addressOf(from.user, addressingOf(to)),
    participant: inGroup ? addressOf(from.user, 'lid', from.number) : undefined,
    t: nowSeconds(),
  };
  for (const device of author.devices.values()) {
    network.queue.put(device, stanza('receipt', attributes, content));
  }
}

/** A device could not read a message: its author, a phone or another device, is asked to send it again. */
function forwardRetry(network: Network, from: Device, receipt: Stanza): void {
  const { to = '', participant, id, recipient } = receipt.attrs;
  const inGroup = isGroupAddress(to);
  const authorAddress = inGroup ? participant : to;
  const author = network.users.byAddress(authorAddress);
  const number = parseAddress(authorAddress)?.device ?? 0;
  if (!author) return;
  if (number === 0) {
    resendToDevice(network, author, from, receipt).catch((error: unknown) => {
      network.log.error({ reason: String(error) }, 'phone.resend-failed');
    });
    return;
  }
  const device = author.devices.get(number);
  if (!device) return;
  const attributes = {
    id,
    type: 'retry',
    from: inGroup ? to : addressOf(from.user, addressingOf(to), from.number),
    participant: inGroup ? addressOf(from.user, 'lid', from.number) : undefined,
    recipient,
    t: nowSeconds(),
  };
  network.queue.put(device, stanza('receipt', attributes, receipt.content));
}

function forwardToOwnDevices(network: Network, from: Device, receipt: Stanza): void {
  const { to = '', id, type, recipient, participant } = receipt.attrs;
  const attributes = {
    id,
    type,
    from: addressOf(from.user, addressingOf(to), from.number),
    recipient: type === 'sender' ? recipient : to,
    participant: type === 'read-self' ? participant : undefined,
    t: nowSeconds(),
  };
  const only = type === 'sender' ? parseAddress(to)?.device : undefined;
  for (const device of from.user.devices.values()) {
    if (device === from || (only !== undefined && device.number !== only)) continue;
    network.queue.put(device, stanza('receipt', attributes, receipt.content));
  }
}

const { ResultType } = proto.MediaRetryNotification;

/**
 * A device cannot fetch a file any more, and asks for it once more: whoever sent it uploads it again, and says where.
 * The answer is sealed under the file's own key, so only a device that has the message can read it.
 */
async function answerMediaRetry(network: Network, device: Device, receipt: Stanza): Promise<void> {
  const id = receipt.attrs.id ?? '';
  const about = childNamed(receipt, 'rmr')?.attrs ?? {};
  const row = network.store.get('SELECT user_id, content FROM phone_sent WHERE message_id = ?', id);
  const file = row && fileIn(proto.Message.decode(blob(row.content)))?.file;
  network.log.info(
    { phone: shortPhone(device.user.phone), id, known: file !== undefined },
    'media.asked-again',
  );
  const from = addressOf(device.user, addressingOf(about.jid ?? ''));
  const answerWith = (content: Stanza[]) =>
    network.queue.put(device, notification(from, 'mediaretry', content, { id }));
  const rmr = stanza('rmr', { jid: about.jid, from_me: about.from_me, participant: about.participant });
  if (!file?.mediaKey || !file.directPath) {
    answerWith([rmr, stanza('error', { code: '2' })]);
    return;
  }
  const directPath = network.faults.refuseUploads ? null : await network.media.putAgain(file.directPath);
  const answer = proto.MediaRetryNotification.encode({
    stanzaId: id,
    ...(directPath === null ? { result: ResultType.NOT_FOUND } : { result: ResultType.SUCCESS, directPath }),
  }).finish();
  const key = Buffer.from(
    hkdfSync('sha256', file.mediaKey, new Uint8Array(), 'WhatsApp Media Retry Notification', 32),
  );
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(id));
  const sealed = Buffer.concat([cipher.update(answer), cipher.final(), cipher.getAuthTag()]);
  const encrypt = stanza('encrypt', {}, [stanza('enc_p', {}, sealed), stanza('enc_iv', {}, iv)]);
  answerWith([encrypt, rmr]);
}
