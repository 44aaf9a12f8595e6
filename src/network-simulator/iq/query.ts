import type { Device } from '../accounts/user.ts';
import type { Network } from '../network.ts';
import type { ClientConnection } from '../wire/client-connection.ts';
import type { Stanza } from '../wire/stanza.ts';

/** What is answered to a query: content, or an error code of the network. */
export type Answer = { content?: Stanza[]; error?: { code: string; text: string } };

/** Some answers are ready a little later. */
export type AnswerSoon = Answer | Promise<Answer>;

/** A query of a client that is logged in. */
export type Query = {
  network: Network;
  connection: ClientConnection;
  device: Device;
  /** The whole `<iq>`. */
  iq: Stanza;
  /** The first element in it, which says what is asked. */
  asked: Stanza | undefined;
};

export const notFound: Answer = { error: { code: '404', text: 'item-not-found' } };
