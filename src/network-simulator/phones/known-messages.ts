import { proto } from '@whiskeysockets/baileys';
import type { User } from '../accounts/user.ts';
import type { Network } from '../network.ts';
import { blob } from '../store/database.ts';

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
