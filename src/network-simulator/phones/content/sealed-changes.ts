import { createCipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import { proto } from '@whiskeysockets/baileys';
import type { User } from '../../accounts/user.ts';
import type { Network } from '../../network.ts';
import { Refusal } from '../../refusal.ts';
import { blob } from '../../store.ts';
import { addressOf } from '../../wire/addresses.ts';

/** A message that some phone has written or read. */
export interface KnownMessage {
  id: string;
  author: User;
  content: proto.IMessage;
}

/** The message of this id, as it was written by a phone, or read by one. */
export function knownMessage(network: Network, id: string): KnownMessage | null {
  const row =
    network.store.get('SELECT user_id AS author, content FROM phone_sent WHERE message_id = ?', id) ??
    network.store.get('SELECT sender_id AS author, content FROM arrived_contents WHERE message_id = ?', id);
  const author = row && network.users.byId(Number(row.author));
  if (!row || !author) return null;
  return { id, author, content: proto.Message.decode(blob(row.content)) };
}

/** A message as its key names it in this chat, from the side of `from`. */
export function keyFor(from: User, chat: string, { id, author }: KnownMessage): proto.IMessageKey {
  const isGroup = chat.endsWith('@g.us');
  return {
    remoteJid: chat,
    fromMe: author === from,
    id,
    ...(isGroup && { participant: addressOf(author, 'lid') }),
  };
}

/** A vote, sealed with the poll's secret. */
export function sealedVote(
  from: User,
  chat: string,
  poll: KnownMessage,
  options: readonly string[],
): proto.Message.IPollUpdateMessage {
  const selectedOptions = options.map((option) => createHash('sha256').update(option).digest());
  const plain = proto.Message.PollVoteMessage.encode({ selectedOptions }).finish();
  return {
    pollCreationMessageKey: keyFor(from, chat, poll),
    vote: sealedDeed(from, chat, poll, 'Poll Vote', plain),
    senderTimestampMs: Date.now(),
  };
}

/** What is done to a message, under the key that follows from its secret and the addresses of both sides. */
export function sealedDeed(
  from: User,
  chat: string,
  target: KnownMessage,
  sealedFor: 'Poll Vote' | 'Message Edit' | 'Enc Reaction',
  plain: Uint8Array,
): { encPayload: Uint8Array; encIv: Uint8Array } {
  const secret = target.content.messageContextInfo?.messageSecret;
  if (!secret?.length)
    throw new Refusal(404, `The message ${target.id} has no secret to seal anything with.`);
  const addressing = chat.endsWith('@g.us') || from.script.addressing === 'lid' ? 'lid' : 'pn';
  const [author, doer] = [addressOf(target.author, addressing), addressOf(from, addressing)];
  const hmac = (key: Uint8Array, data: Uint8Array) => createHmac('sha256', key).update(data).digest();
  const info = Buffer.concat([Buffer.from(`${target.id}${author}${doer}${sealedFor}`), Buffer.from([1])]);
  const key = hmac(hmac(Buffer.alloc(32), secret), info);
  const encIv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, encIv);
  // Only votes bear associated data.
  if (sealedFor === 'Poll Vote') cipher.setAAD(Buffer.from(`${target.id}\0${doer}`));
  const encPayload = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  return { encPayload, encIv };
}
