import type { User } from '../accounts/user.ts';
import type { Network } from '../network.ts';
import { isGroupAddress } from '../wire/addresses.ts';
import type { ClientConnection } from '../wire/client-connection.ts';
import { childNamed, childrenOf, type Stanza } from '../wire/stanza.ts';

/** The chat of an address, as the admin API names it: a phone number or a group id. */
export function chatNamed(network: Network, address: string | undefined): string | null {
  if (isGroupAddress(address)) return address ?? null;
  return network.users.byAddress(address)?.phone ?? null;
}

const userOf = (connection: ClientConnection): User | undefined => connection.device?.user;

/** A device says whether it is online, or wants to hear what somebody does. */
export function acceptPresence(network: Network, connection: ClientConnection, presence: Stanza): void {
  const user = userOf(connection);
  if (presence.attrs.type === 'subscribe') {
    const watched = network.users.byAddress(presence.attrs.to);
    if (user && watched) connection.watched.add(watched);
    return;
  }
  if (user) network.activity.note(user, 'presence', null, presence.attrs.type ?? 'available');
}

/** A device says that somebody is typing, records or has stopped. */
export function acceptChatState(network: Network, connection: ClientConnection, chatState: Stanza): void {
  const user = userOf(connection);
  const [state] = childrenOf(chatState);
  if (!user || !state) return;
  const what = state.attrs.media === 'audio' ? 'recording' : state.tag;
  network.activity.note(user, 'typing', chatNamed(network, chatState.attrs.to), what);
}

/** A device turns a call down. */
export function acceptCall(network: Network, connection: ClientConnection, call: Stanza): void {
  const user = userOf(connection);
  const rejected = childNamed(call, 'reject');
  if (!user || !rejected) return;
  const caller = chatNamed(network, rejected.attrs['call-creator']);
  network.activity.note(user, 'call_rejected', caller, rejected.attrs['call-id'] ?? '');
}
