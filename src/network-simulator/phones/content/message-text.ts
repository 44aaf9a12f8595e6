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

export const fileKinds = ['image', 'video', 'audio', 'document', 'sticker'] as const;

/** What the parts of a message have in common that hold files; each kind has some of it. */
interface FilePart extends proto.Message.IDocumentMessage {
  ptt?: boolean | null;
}

/** The file of a message, and its kind. */
export function fileIn(
  message: proto.IMessage,
): { kind: (typeof fileKinds)[number]; file: FilePart } | undefined {
  for (const kind of fileKinds) {
    const file = message[`${kind}Message`] as FilePart | null | undefined;
    if (file) return { kind, file };
  }
  return undefined;
}
