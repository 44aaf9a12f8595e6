import type { GroupMetadata, WASocket } from '@whiskeysockets/baileys';
import type { QueryAnswer, QueryOf, QueryVerb } from '../../../contract/bridge/network-queries.ts';
import type { Group } from '../../../contract/group.ts';
import { type PlainQuery, QueryError } from '../connection/connection.ts';
import { AskContacts } from './ask-contacts.ts';
import { AskGroups } from './ask-groups.ts';
import { queryError } from './query-failure.ts';

/** All but the one that depends on how a contact is addressed. */
type AskedQuery = Exclude<PlainQuery, { verb: 'chats.watch' }>;

/** Questions of the edge, put to the network by the client. All of it throws `QueryError` where there is no answer. */
export class AskNetwork {
  readonly #groups: AskGroups;
  readonly #contacts: AskContacts;
  readonly #profile: AskProfile;

  constructor(sock: WASocket, onGroupRead: (metadata: GroupMetadata) => void) {
    this.#groups = new AskGroups(sock, onGroupRead);
    this.#contacts = new AskContacts(sock);
    this.#profile = new AskProfile(sock, this.#contacts);
  }

  async groups(): Promise<Group[]> {
    return this.#groups.all().catch((error) => Promise.reject(queryError(error)));
  }

  ask(query: AskedQuery): Promise<QueryAnswer<QueryVerb>> {
    return this.#ask(query).catch((error) => Promise.reject(queryError(error)));
  }

  async #ask(query: AskedQuery): Promise<QueryAnswer<QueryVerb>> {
    switch (query.verb) {
      case 'contacts.check':
        return this.#contacts.check(query);
      case 'contacts.picture':
        return this.#contacts.picture(query);
      case 'contacts.blocked':
        return this.#contacts.blocked();
      case 'contacts.block':
        return this.#contacts.block(query);
      case 'chats.typing':
        return this.#contacts.typing(query);
      case 'chats.read':
        return this.#contacts.read(query);
      case 'profile.get':
        return this.#profile.get();
      case 'profile.change':
        return this.#profile.change(query);
      case 'groups.create':
        return this.#groups.create(query);
      case 'groups.change':
        return this.#groups.change(query);
      case 'groups.leave':
        return this.#groups.leave(query);
      case 'groups.participants':
        return this.#groups.participants(query);
      case 'groups.invite':
        return this.#groups.invite(query);
      case 'groups.join':
        return this.#groups.join(query);
      case 'groups.requests':
        return this.#groups.requests(query);
      case 'groups.decide':
        return this.#groups.decide(query);
    }
  }
}

const networkAddress = 's.whatsapp.net';

/** What the number shows of itself. */
class AskProfile {
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
