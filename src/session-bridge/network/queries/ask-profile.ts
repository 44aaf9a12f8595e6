import type { WASocket } from '@whiskeysockets/baileys';
import type { QueryAnswer, QueryOf } from '../../../contract/bridge/network-queries.ts';
import { QueryError } from '../connection/connection.ts';
import type { AskContacts } from './ask-contacts.ts';

const networkAddress = 's.whatsapp.net';

/** What the number shows of itself. */
export class AskProfile {
  readonly #sock: WASocket;
  readonly #contacts: AskContacts;

  constructor(sock: WASocket, contacts: AskContacts) {
    this.#sock = sock;
    this.#contacts = contacts;
  }

  async get(): Promise<QueryAnswer<'profile.get'>> {
    const { me } = this.#sock.authState.creds;
    const own = this.#ownAddress();
    const [status] = (await this.#sock.fetchStatus(own)) ?? [];
    const { status: about } = (status?.status ?? {}) as { status?: string | null };
    return {
      name: me?.name || null,
      about: about || null,
      pictureUrl: await this.#contacts.pictureUrl(own),
    };
  }

  async change(query: QueryOf<'profile.change'>): Promise<QueryAnswer<'profile.change'>> {
    const { name, about, picture } = query;
    if (name !== undefined) {
      await this.#sock.updateProfileName(name);
      // The client hears of its own change from the network alone, if ever.
      const { me } = this.#sock.authState.creds;
      if (me) this.#sock.ev.emit('creds.update', { me: { ...me, name } });
    }
    if (about !== undefined) await this.#sock.updateProfileStatus(about);
    if (picture !== undefined) await this.#setPicture(picture);
    return {};
  }

  /** As it was given: the client would scale it with a library that is not here. */
  async #setPicture(picture: string | null): Promise<void> {
    const content = picture === null ? null : Buffer.from(picture, 'base64');
    await this.#sock.query({
      tag: 'iq',
      attrs: { to: networkAddress, type: 'set', xmlns: 'w:profile:picture' },
      ...(content && { content: [{ tag: 'picture', attrs: { type: 'image' }, content }] }),
    });
  }

  #ownAddress(): string {
    const own = this.#sock.authState.creds.me?.id;
    if (!own) throw new QueryError({ reason: 'not_connected' });
    const [user = ''] = own.split('@');
    return `${user.split(':')[0]}@${networkAddress}`;
  }
}
