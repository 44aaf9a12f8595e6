import { jidEncode, proto } from '@whiskeysockets/baileys';
import type { MessageAction } from '../../../contract/messages/actions.ts';
import type { MessageTarget } from '../../../contract/messages/changes.ts';
import type { ChatType } from '../../../contract/messages/message.ts';
import { chatAddress } from '../stanzas/jids.ts';
import type { WireMessage } from './wire-message.ts';

const { REVOKE, MESSAGE_EDIT } = proto.Message.ProtocolMessage.Type;

/** What the network carries for something that is done to a message; a read mark is none of that. */
export function wireAction(
  action: Exclude<MessageAction, { type: 'read' }>,
  chat: { to: string; chatType: ChatType },
): WireMessage {
  const key = targetKey(action.target, chat);
  switch (action.type) {
    case 'edit': {
      const editedMessage = { extendedTextMessage: { text: action.text } };
      const protocolMessage = { key, type: MESSAGE_EDIT, editedMessage, timestampMs: Date.now() };
      return { message: { protocolMessage }, nodes: [], attributes: { edit: '1' } };
    }
    case 'delete':
      return { message: { protocolMessage: { key, type: REVOKE } }, nodes: [], attributes: { edit: '7' } };
    case 'reaction': {
      const reactionMessage = { key, text: action.emoji, senderTimestampMs: Date.now() };
      return { message: { reactionMessage }, nodes: [], attributes: {} };
    }
  }
}

/** A message's key on the network, from our side. In a group its author is part of the key, by alias if that is known. */
export function targetKey(
  { providerMessageId: id, isOwn: fromMe, author, authorLid }: MessageTarget,
  { to, chatType }: { to: string; chatType: ChatType },
): proto.IMessageKey & { remoteJid: string; id: string } {
  if (chatType === 'personal') return { remoteJid: chatAddress(to), fromMe, id };
  const participant = authorLid ? jidEncode(authorLid, 'lid') : author && chatAddress(author);
  return { remoteJid: to, fromMe, id, ...(!fromMe && participant && { participant }) };
}
