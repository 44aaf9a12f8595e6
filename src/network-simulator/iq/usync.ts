import type { User } from '../accounts/user.ts';
import type { Network } from '../network.ts';
import { addressOf, normalisePhone, parseAddress } from '../wire/addresses.ts';
import {
  bytesOf,
  childNamed,
  childrenNamed,
  childrenOf,
  nowSeconds,
  type Stanza,
  stanza,
} from '../wire/stanza.ts';
import type { Answer, Query } from './query.ts';

/** `usync`: whether numbers are on the network, their linked devices, their aliases. */
export function answerUsync({ network, device, asked }: Query): Answer {
  const wanted = new Set(childrenOf(childNamed(asked, 'query')).map((protocol) => protocol.tag));
  const results = childrenNamed(childNamed(asked, 'list'), 'user').map((entry) => {
    const address = entry.attrs.jid ?? lookedUp(network, bytesOf(childNamed(entry, 'contact')).toString());
    const user = network.users.byAddress(address);
    const present = user?.script.registered ? user : undefined;
    if (present && wanted.has('devices')) network.listReaders.add(present, device);
    return stanza('user', { jid: address }, answersFor(network, present, address, wanted));
  });
  const { sid, mode, context } = asked?.attrs ?? {};
  return {
    content: [
      stanza('usync', { sid, index: '0', last: 'true', mode, context }, [stanza('list', {}, results)]),
    ],
  };
}

function answersFor(
  network: Network,
  user: User | undefined,
  address: string | undefined,
  wanted: Set<string>,
): Stanza[] {
  const answers: Stanza[] = [];
  if (wanted.has('contact')) answers.push(stanza('contact', { type: user ? 'in' : 'out' }));
  if (!user) return answers;
  if (wanted.has('devices')) {
    const linked = [...user.devices.keys()].map((number) =>
      stanza('device', { id: String(number), 'key-index': String(number) }),
    );
    answers.push(
      stanza('devices', {}, [
        stanza('device-list', {}, [stanza('device', { id: '0' }), ...linked]),
        stanza('key-index-list', { ts: nowSeconds() }),
      ]),
    );
  }
  if (wanted.has('status')) answers.push(stanza('status', {}, Buffer.from(network.profiles.about(user))));
  if (wanted.has('lid') && parseAddress(address)?.server !== 'lid') {
    answers.push(stanza('lid', { val: addressOf(user, 'lid') }));
  }
  return answers;
}

/** Somebody is named by the own number, whichever digits were looked up. */
function lookedUp(network: Network, text: string): string | undefined {
  const digits = normalisePhone(text);
  const phone = (digits && network.users.foundAs(digits)?.phone) ?? digits;
  return phone && `${phone}@s.whatsapp.net`;
}
