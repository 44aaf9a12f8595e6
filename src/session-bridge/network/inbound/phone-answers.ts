import { type BinaryNode, encodeWAMessage, proto, unpadRandomMax16 } from '@whiskeysockets/baileys';

/** A message that the own phone hands over after the network could not: as a stanza, and what would have been in it. */
export interface HandedOverMessage {
  node: BinaryNode;
  plaintext: Uint8Array;
}

/**
 * The messages in an answer of the own phone. The network tells of some messages only that they are there (what comes
 * from an advertisement, or was sent while this device could not be reached), and the client asks the phone for them.
 * `stanzaOf`: the stanza in which the network told of one, by the message's id. Throws when the plaintext is no message.
 */
export function messagesOfPhone(
  plaintext: Uint8Array,
  stanzaOf: (id: string) => BinaryNode | undefined,
): HandedOverMessage[] {
  const { protocolMessage } = proto.Message.decode(unpadRandomMax16(plaintext));
  const results = protocolMessage?.peerDataOperationRequestResponseMessage?.peerDataOperationResult ?? [];
  return results.flatMap(({ placeholderMessageResendResponse: answer }) => {
    if (!answer?.webMessageInfoBytes) return [];
    const { key, message, messageTimestamp, pushName, participant } = proto.WebMessageInfo.decode(
      answer.webMessageInfoBytes,
    );
    const { id, remoteJid, fromMe } = key ?? {};
    if (!id || !remoteJid || !message || fromMe) return [];
    const told = stanzaOf(id)?.attrs;
    const author = key?.participant ?? participant;
    const attrs: Record<string, string> = {
      from: remoteJid,
      id,
      ...(messageTimestamp && { t: String(messageTimestamp) }),
      ...(pushName && { notify: pushName }),
      ...(author && { participant: author }),
      // What the network said itself names people more completely.
      ...told,
    };
    return [{ node: { tag: 'message', attrs }, plaintext: encodeWAMessage(message) }];
  });
}
