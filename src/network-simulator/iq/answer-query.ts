import type { User } from '../accounts/user.ts';
import { unlinkDevice } from '../login/login.ts';
import { announceOffline } from '../login/offline-delivery.ts';
import { afterDelay, type Network } from '../network.ts';
import { companionFinish, companionHello } from '../pairing/link-code.ts';
import { addressOf, normalisePhone, parseAddress } from '../wire/addresses.ts';
import type { ClientConnection } from '../wire/client-connection.ts';
import {
  bytesOf,
  childNamed,
  childrenNamed,
  childrenOf,
  networkAddress,
  nowSeconds,
  type Stanza,
  stanza,
} from '../wire/stanza.ts';
import { answerAccount } from './account.ts';
import { answerEncrypt } from './encrypt.ts';
import { answerGroups } from './groups.ts';
import type { Answer, AnswerSoon, Query } from './query.ts';

const rooms: Record<string, (query: Query) => AnswerSoon> = {
  encrypt: answerEncrypt,
  usync: answerUsync,
  'w:g2': answerGroups,
};

const refusal = (code = ''): Answer => ({
  error: { code, text: code === '429' ? 'rate-overlimit' : 'not-acceptable' },
});

/** Answers one `<iq>`. What nobody here knows gets an empty result, as far as that goes; it is logged. */
export function answerQuery(network: Network, connection: ClientConnection, iq: Stanza): void {
  const asked = childrenOf(iq)[0];
  const xmlns = iq.attrs.xmlns ?? '';
  const { device } = connection;
  const reply = ({ content, error }: Answer): void => {
    connection.send(
      stanza(
        'iq',
        {
          from: iq.attrs.to ?? networkAddress,
          id: iq.attrs.id,
          type: error ? 'error' : 'result',
          t: nowSeconds(),
        },
        error ? [stanza('error', error)] : content,
      ),
    );
  };
  // A client that waits to be linked may ping and ask for a pairing code, no more.
  if (xmlns === 'md') {
    answerLinking(network, connection, asked, reply);
    return;
  }
  if (!device) {
    reply(xmlns === 'w:p' ? {} : { error: { code: '401', text: 'not-authorized' } });
    return;
  }
  const { queries, faults } = device.user;
  queries[xmlns] = (queries[xmlns] ?? 0) + 1;
  const fault = faults.queries[xmlns];
  if (fault?.silent) return;
  const room = rooms[xmlns] ?? answerAccount;
  afterDelay(network, fault?.delayMs ?? 0, () => {
    const isRefused = fault?.error !== undefined;
    const answer = isRefused ? refusal(fault.error) : room({ network, connection, device, iq, asked });
    if (!(answer instanceof Promise)) {
      reply(answer);
      return;
    }
    answer.then(reply, (error: unknown) => {
      network.log.error({ reason: String(error), xmlns }, 'query.failed');
      connection.cut();
    });
  });
  if (xmlns === 'passive' && asked?.tag === 'active') {
    announceOffline(network, connection).catch((error: unknown) => {
      network.log.error({ reason: String(error) }, 'login.announcement-failed');
      connection.cut();
    });
  }
}

/** `md`: pairing by code, and a device that unlinks itself. */
function answerLinking(
  network: Network,
  connection: ClientConnection,
  asked: Stanza | undefined,
  reply: (answer: Answer) => void,
): void {
  if (asked?.tag === 'remove-companion-device') {
    reply({});
    const number = parseAddress(asked.attrs.jid)?.device ?? 0;
    const device = connection.device?.user.devices.get(number);
    if (device) unlinkDevice(network, device);
    return;
  }
  const stage = asked?.tag === 'link_code_companion_reg' ? asked.attrs.stage : undefined;
  if (asked && stage === 'companion_hello') {
    reply(companionHello(network, connection, asked));
    return;
  }
  reply({});
  if (asked && stage === 'companion_finish') companionFinish(network, connection, asked);
}

/** `usync`: whether numbers are on the network, their linked devices, their aliases. */
function answerUsync({ network, device, asked }: Query): Answer {
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
