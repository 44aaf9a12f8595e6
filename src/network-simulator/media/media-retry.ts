import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { proto } from '@whiskeysockets/baileys';
import type { Device } from '../accounts/user.ts';
import { shortPhone } from '../log.ts';
import type { Network } from '../network.ts';
import { blob } from '../store/database.ts';
import { addressingOf, addressOf } from '../wire/addresses.ts';
import { childNamed, nowSeconds, type Stanza, stanza } from '../wire/stanza.ts';

const { ResultType } = proto.MediaRetryNotification;

/**
 * A device cannot fetch a file any more, and asks for it once more: whoever sent it uploads it again, and says where.
 * The answer is sealed under the file's own key, so only a device that has the message can read it.
 */
export async function answerMediaRetry(network: Network, device: Device, receipt: Stanza): Promise<void> {
  const id = receipt.attrs.id ?? '';
  const about = childNamed(receipt, 'rmr')?.attrs ?? {};
  const row = network.store.get('SELECT user_id, content FROM phone_sent WHERE message_id = ?', id);
  const file = row && mediaOf(proto.Message.decode(blob(row.content)));
  network.log.info(
    { phone: shortPhone(device.user.phone), id, known: file !== undefined },
    'media.asked-again',
  );
  const from = addressOf(device.user, addressingOf(about.jid ?? ''));
  const attributes = { id, from, type: 'mediaretry', t: nowSeconds() };
  const rmr = stanza('rmr', { jid: about.jid, from_me: about.from_me, participant: about.participant });
  if (!file?.mediaKey || !file.directPath) {
    network.queue.put(device, stanza('notification', attributes, [rmr, stanza('error', { code: '2' })]));
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
  network.queue.put(device, stanza('notification', attributes, [encrypt, rmr]));
}

interface FileMessage {
  mediaKey?: Uint8Array | null;
  directPath?: string | null;
}

const mediaOf = (message: proto.IMessage): FileMessage | undefined =>
  message.imageMessage ??
  message.videoMessage ??
  message.audioMessage ??
  message.documentMessage ??
  message.stickerMessage ??
  undefined;
