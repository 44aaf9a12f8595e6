import { createHash } from 'node:crypto';
import { v7 } from 'uuid';

/** The id of a file that came in, as a UUIDv7: the same for whatever repeats its message, at whichever bridge. */
export function inboundMediaId(
  at: string,
  origin: { numberPhone: string | null; chat: string; author: string; providerMessageId: string },
): string {
  const { numberPhone, chat, author, providerMessageId } = origin;
  const names = ['media', numberPhone ?? '', chat, author, providerMessageId];
  const digest = createHash('sha256').update(names.join('\n')).digest();
  return v7({ msecs: Date.parse(at), seq: digest.readUInt32BE(16), random: digest.subarray(0, 16) });
}
