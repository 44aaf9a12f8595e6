import type { proto } from '@whiskeysockets/baileys';
import { clippedText } from './clipped.ts';
import { readWords } from './read-words.ts';
import type { Unwrapped } from './unwrap.ts';

/**
 * What an edit makes of the words of its message. A caption comes alone, or with its file; a file without one has lost it.
 * Null where there is nothing that can be read: that is not the same as nothing written.
 */
export function readEditedText({ message }: Unwrapped): string | null {
  const words = readWords(message) ?? captionOf(message);
  return words === null ? null : clippedText(words);
}

function captionOf({
  imageMessage,
  videoMessage,
  ptvMessage,
  documentMessage,
}: proto.IMessage): string | null {
  const file = imageMessage ?? videoMessage ?? ptvMessage ?? documentMessage;
  if (!file) return null;
  return file.caption ?? (file.fileSha256?.length ? '' : null);
}
