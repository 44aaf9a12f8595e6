import {
  type BinaryNode,
  isJidBroadcast,
  isJidGroup,
  isJidNewsletter,
  isJidStatusBroadcast,
  proto,
  unpadRandomMax16,
} from '@whiskeysockets/baileys';
import type { InboundMessage } from '../../../contract/bridge-frames.ts';
import { isSelf, type OwnAccount, type Person, personOf, stanzaTime } from '../stanzas/jids.ts';
import { clipped } from './clipped.ts';
import { inboundMediaId } from './media-id.ts';
import { readContent } from './read-content.ts';
import { readContext } from './read-context.ts';
import { unwrap } from './unwrap.ts';

/** The phone number behind an alias, as far as the session knows it, or the member list of the group tells. */
type PhoneNumberOfAlias = (lid: string, groupId: string | null) => Promise<string | null>;

const pushNameUnitsMax = 256;

/**
 * Reads a decrypted message; null for what nobody has written, and for our own. `phoneNumberOfAlias` is asked only where
 * the stanza names somebody by alias alone. Throws when the plaintext is no message.
 */
export async function readMessage(
  node: BinaryNode,
  plaintext: Uint8Array,
  own: OwnAccount,
  phoneNumberOfAlias: PhoneNumberOfAlias,
): Promise<InboundMessage | null> {
  const { id, from, participant, category, notify } = node.attrs;
  if (!id || !from || category === 'peer' || isJidStatusBroadcast(from) || isJidNewsletter(from)) return null;
  const isGroup = Boolean(isJidGroup(from));
  const authorJid = isGroup || isJidBroadcast(from) ? participant : from;
  if (!authorJid) return null;
  const { participant_pn, participant_lid, sender_pn, sender_lid } = node.attrs;
  const author = personOf(authorJid, participant_pn ?? sender_pn ?? participant_lid ?? sender_lid);
  if (isSelf(author, own)) return null;

  const message = proto.Message.decode(unpadRandomMax16(plaintext));
  if (message.deviceSentMessage) return null;
  const unwrapped = unwrap(message);
  const at = stanzaTime(node);
  const mediaId = inboundMediaId(at, {
    numberPhone: own.phoneNumber,
    chat: from,
    author: author.lid ?? author.phoneNumber ?? '',
    providerMessageId: id,
  });
  const content = readContent(unwrapped, mediaId);
  if (content === null) return null;
  const complete = async ({ phoneNumber, lid }: Person): Promise<Person> => ({
    lid,
    phoneNumber: phoneNumber ?? (lid ? await phoneNumberOfAlias(lid, null) : null),
  });
  const phoneNumber =
    author.phoneNumber ?? (author.lid ? await phoneNumberOfAlias(author.lid, isGroup ? from : null) : null);
  const authorDigits = phoneNumber ?? author.lid;
  if (!authorDigits) return null;
  return {
    providerMessageId: id,
    at,
    chatType: isGroup ? 'group' : 'personal',
    from: authorDigits,
    ...(author.lid && { senderLid: author.lid }),
    ...(isGroup && { groupId: from }),
    pushName: clipped(notify ?? '', pushNameUnitsMax),
    content: { ...content, ...(await readContext(unwrapped, own, complete)) },
  };
}
