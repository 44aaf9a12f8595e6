import { announceOffline } from '../login/offline-delivery.ts';
import { afterDelay, type Network } from '../network.ts';
import type { ClientConnection } from '../wire/client-connection.ts';
import { childrenOf, networkAddress, nowSeconds, type Stanza, stanza } from '../wire/stanza.ts';
import { answerAccount } from './account.ts';
import { answerEncrypt } from './encrypt.ts';
import { answerGroups } from './groups.ts';
import { answerLinking } from './linking.ts';
import type { Answer, AnswerSoon, Query } from './query.ts';
import { answerUsync } from './usync.ts';

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
