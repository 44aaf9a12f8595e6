import { derivedUuid, providerMessageIdOf } from '../../new-ids.ts';

const prefix = '3EB0';

/**
 * The key of a message: with it the message is found by its id, a receipt, or its repeat alone. For an outbound message it is
 * the 72 bits of the network's id, which is derived from the message's id.
 */
export const outboundKey = (messageId: string): string => providerMessageIdOf(messageId).slice(prefix.length);

/** The key that the network's id of an outbound message holds; null when it is none of ours. */
export function keyInProviderId(providerMessageId: string): string | null {
  return /^3EB0[0-9A-F]{18}$/.test(providerMessageId) ? providerMessageId.slice(prefix.length) : null;
}

/**
 * The id of an inbound message, which is the same for every repeat. The network's ids are unique only for a chat and an
 * author. The time does not count, since a repeat may have another one.
 */
export function inboundMessageId(
  at: number,
  origin: { numberId: string; groupId: string | undefined; author: string; providerMessageId: string },
): string {
  const { numberId, groupId = '', author, providerMessageId } = origin;
  return `msg_${derivedUuid(at, numberId, groupId, author, providerMessageId)}`;
}

/** The key of an inbound message: the bits of its id that are not its time. */
export function inboundKey(messageId: string): string {
  const digits = messageId.slice('msg_'.length).replaceAll('-', '');
  return `${digits.slice(13, 16)}${digits.slice(17)}`;
}
