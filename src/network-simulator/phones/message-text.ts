import { normalizeMessageContent, type proto } from '@whiskeysockets/baileys';

/** What a person would read of a message: its text or caption; null where it has none. */
export function textOf(message: proto.IMessage): string | null {
  const content = normalizeMessageContent(message);
  return (
    content?.conversation ??
    content?.extendedTextMessage?.text ??
    content?.imageMessage?.caption ??
    content?.videoMessage?.caption ??
    content?.documentMessage?.caption ??
    null
  );
}
