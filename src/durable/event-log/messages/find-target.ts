import type { MessageTarget } from '../../../contract/messages/changes.ts';
import type { LoggedMessage } from './logged-message.ts';
import { inboundMessageId } from './message-key.ts';
import type { MessageRows } from './message-rows.ts';

/**
 * A message as the network names it; null where the log does not know it. One that the account has sent is known by its
 * network id; any other by who has written it, and in which group, too.
 */
export function findTarget(
  rows: MessageRows,
  place: { numberId: string; groupId: string | undefined },
  { providerMessageId, isOwn, author, authorLid }: Partial<MessageTarget> & { providerMessageId: string },
): LoggedMessage | null {
  const sent = isOwn ? rows.findByProviderId(providerMessageId) : null;
  if (sent?.numberId === place.numberId) return sent;
  for (const writer of [authorLid, author]) {
    if (writer === undefined) continue;
    const found = rows.findByNaturalKey(inboundMessageId(0, { ...place, author: writer, providerMessageId }));
    if (found !== null) return found;
  }
  return null;
}
