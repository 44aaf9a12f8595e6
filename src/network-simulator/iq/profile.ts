import { addressOf } from '../wire/addresses.ts';
import { bytesOf, nowSeconds, stanza } from '../wire/stanza.ts';
import { type Answer, notFound, type Query } from './query.ts';

/** `w:profile:picture`: pictures are set and asked for; their address is one of the simulator's own. */
export function answerPicture({ network, device, iq, asked }: Query): Answer {
  const { profiles } = network;
  if (iq.attrs.type === 'set') {
    // Of a group nothing is kept.
    if (iq.attrs.target === undefined) {
      profiles.setPicture(device.user, asked?.tag === 'picture' ? bytesOf(asked) : null);
    }
    return { content: [stanza('picture', { id: nowSeconds() })] };
  }
  const shown = network.users.byAddress(iq.attrs.target);
  if (!shown || !profiles.picture(shown)) return notFound;
  const url = `https://${network.mediaHost()}/profile-pictures/${shown.phone}`;
  return { content: [stanza('picture', { id: '1', type: 'image', url })] };
}

/** `status`: a device sets the line under its account's name. */
export function answerStatus({ network, device, asked }: Query): Answer {
  if (asked?.tag === 'status') network.profiles.setAbout(device.user, bytesOf(asked).toString());
  return {};
}

/** `blocklist`: whom an account has blocked. */
export function answerBlocklist({ network, device, iq, asked }: Query): Answer {
  const { profiles, users } = network;
  if (iq.attrs.type === 'set') {
    const other = users.byAddress(asked?.attrs.jid);
    if (!other) return notFound;
    profiles.setBlocked(device.user, other, asked?.attrs.action === 'block');
  }
  const items = profiles
    .blocked(device.user)
    .flatMap((id) => users.byId(id) ?? [])
    .map((user) => stanza('item', { jid: addressOf(user, 'lid') }));
  return { content: [stanza('list', {}, items)] };
}
