import { randomBytes } from 'node:crypto';
import type { proto } from '@whiskeysockets/baileys';
import { z } from 'zod';
import { addressOf } from '../../wire/addresses.ts';
import { messageId, phone } from './request-fields.ts';
import type { KnownMessage } from './sealed-changes.ts';

/** What may go with a message of any kind that a phone is told to write. */
export const contextFields = {
  /** It has a secret, with which votes, edits and reactions can be sealed: as on newer phones all have. */
  bearsSecret: z.boolean().optional(),
  quoted: messageId.optional(),
  mentions: z.array(phone).optional(),
  isForwarded: z.boolean().optional(),
  isEphemeral: z.boolean().optional(),
  viewOnce: z.boolean().optional(),
};

/** Puts beside a message what it refers to, and around it what it is wrapped in. */
export function decorated(
  message: proto.IMessage,
  context: z.output<z.ZodObject<typeof contextFields>>,
  chat: string,
  known: (id: string) => KnownMessage,
): proto.IMessage {
  const { quoted, mentions, isForwarded, isEphemeral, viewOnce, bearsSecret } = context;
  const answered = quoted === undefined ? null : known(quoted);
  const contextInfo: proto.IContextInfo = {
    ...(answered && {
      stanzaId: answered.id,
      participant: addressOf(answered.author, chat.endsWith('@g.us') ? 'lid' : 'pn'),
      quotedMessage: answered.content,
    }),
    ...(mentions && { mentionedJid: mentions.map((phone) => `${phone}@s.whatsapp.net`) }),
    ...(isForwarded && { isForwarded, forwardingScore: 1 }),
    ...(isEphemeral && { expiration: 86_400 }),
  };
  const withInfo = Object.keys(contextInfo).length === 0 ? message : withContext(message, contextInfo);
  const messageContextInfo = { messageSecret: randomBytes(32) };
  const whole = bearsSecret ? { messageContextInfo, ...withInfo } : withInfo;
  const once = viewOnce ? { viewOnceMessageV2: { message: whole } } : whole;
  return isEphemeral ? { ephemeralMessage: { message: once } } : once;
}

function withContext(message: proto.IMessage, contextInfo: proto.IContextInfo): proto.IMessage {
  if (message.conversation) return { extendedTextMessage: { text: message.conversation, contextInfo } };
  const { messageContextInfo, ...parts } = message;
  const entries = Object.entries(parts).map(([kind, part]) => [kind, { ...(part as object), contextInfo }]);
  return { ...(messageContextInfo && { messageContextInfo }), ...Object.fromEntries(entries) };
}

export interface DescribedContext {
  quotedMessageId?: string;
  mentions?: string[];
  isForwarded?: true;
}

/** What goes with a message that a phone has read; `part`: its content, as the network carries it. */
export function describedContext(part: unknown): DescribedContext {
  if (typeof part !== 'object' || part === null || !('contextInfo' in part)) return {};
  const info = part.contextInfo as proto.IContextInfo | null;
  return {
    ...(info?.stanzaId && { quotedMessageId: info.stanzaId }),
    ...(info?.mentionedJid?.length && { mentions: info.mentionedJid.map((jid) => jid.split('@')[0] ?? '') }),
    ...(info?.isForwarded && { isForwarded: true }),
  };
}
