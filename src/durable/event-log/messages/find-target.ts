import type { MessageTarget } from '../../../contract/messages/changes.ts';
import type { KnownPeople } from '../contacts/known-people.ts';
import type { LoggedMessage } from './logged-message.ts';
import { inboundMessageId } from './message-key.ts';
import type { MessageRows } from './message-rows.ts';

/**
 * A message as the network names it; null where the log does not know it. One that the account has sent is known by its
 * network id; any other by who has written it, and in which group, too. Whether it stands in the chat where somebody has
 * named it, and what they may do to it, is for the caller to judge.
 */
export function findTarget(
  rows: MessageRows,
  people: KnownPeople,
  place: { numberId: string; groupId: string | undefined },
  { providerMessageId, isOwn, author, authorLid }: Partial<MessageTarget> & { providerMessageId: string },
): LoggedMessage | null {
  const sent = isOwn ? rows.findByProviderId(providerMessageId) : null;
  if (sent?.numberId === place.numberId) return sent;
  const digits = author ?? authorLid;
  if (digits === undefined) return null;
  // Who names the author may know the number alone, and the message was told with the alias.
  for (const writer of people.namesOf({ digits, lid: authorLid ?? null })) {
    const found = rows.findByNaturalKey(inboundMessageId(0, { ...place, author: writer, providerMessageId }));
    if (found !== null) return found;
  }
  return null;
}
