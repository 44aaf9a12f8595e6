import { type GroupMetadata, jidEncode, type WASocket } from '@whiskeysockets/baileys';
import type { QueryAnswer, QueryOf, QueryVerb } from '../../../contract/bridge/network-queries.ts';
import type { Group } from '../../../contract/group.ts';
import { type PlainQuery, QueryError } from '../connection/connection.ts';
import { targetKey } from '../outbound/wire-action.ts';
import { contractPerson } from '../stanzas/groups.ts';
import { userDigits } from '../stanzas/jids.ts';
import { AskGroups } from './ask-groups.ts';
import { isAbsent, queryError } from './query-failure.ts';

/** The address of a chat: digits of a phone number, or a group id. */
const chatAddress = (chat: string) => (chat.includes('@') ? chat : jidEncode(chat, 's.whatsapp.net'));

const typingPresence = { typing: 'composing', recording: 'recording', paused: 'paused' } as const;

/** What the network knows of others, and what it is told of them. */
export class AskContacts {
  readonly #sock: WASocket;

  constructor(sock: WASocket) {
    this.#sock = sock;
  }

  async check({ phoneNumbers }: QueryOf<'contacts.check'>): Promise<QueryAnswer<'contacts.check'>> {
    const found = await this.#found(phoneNumbers);
    const isNamed = (phoneNumber: string) => found.includes(phoneNumber);
    const others = found.filter((digits) => !phoneNumbers.includes(digits));
    const contacts: QueryAnswer<'contacts.check'>['contacts'] = [];
    for (const phoneNumber of phoneNumbers) {
      // The network may know somebody by other digits than those that were asked for: then one at a time tells.
      const isOther = !isNamed(phoneNumber) && others.length > 0;
      const [address] = isOther ? await this.#found([phoneNumber]) : [];
      const onNetwork = isNamed(phoneNumber) || address !== undefined;
      const isOtherAddress = address !== undefined && address !== phoneNumber;
      contacts.push({ phoneNumber, onNetwork, ...(isOtherAddress && { address }) });
    }
    return { contacts };
  }

  async picture({ contact }: QueryOf<'contacts.picture'>): Promise<QueryAnswer<'contacts.picture'>> {
    return { url: await this.pictureUrl(chatAddress(contact)) };
  }

  /** Null where there is none, or none that this number may see. */
  async pictureUrl(address: string): Promise<string | null> {
    try {
      return (await this.#sock.profilePictureUrl(address, 'image')) ?? null;
    } catch (error) {
      if (isAbsent(error)) return null;
      throw error;
    }
  }

  async blocked(): Promise<QueryAnswer<'contacts.blocked'>> {
    const { lidMapping } = this.#sock.signalRepository;
    const jids = (await this.#sock.fetchBlocklist()).flatMap((jid) => jid ?? []);
    const contacts = await Promise.all(
      jids.map(async (jid) => {
        const isAlias = jid.endsWith('@lid');
        return contractPerson(jid, isAlias ? ((await lidMapping.getPNForLID(jid)) ?? undefined) : undefined);
      }),
    );
    return { contacts: contacts.filter((person) => person !== null) };
  }

  async block({ phoneNumber, blocked }: QueryOf<'contacts.block'>): Promise<QueryAnswer<'contacts.block'>> {
    await this.#sock.updateBlockStatus(chatAddress(phoneNumber), blocked ? 'block' : 'unblock');
    return {};
  }

  async typing({ chat, state }: QueryOf<'chats.typing'>): Promise<QueryAnswer<'chats.typing'>> {
    await this.#sock.sendPresenceUpdate(typingPresence[state], chatAddress(chat));
    return {};
  }

  async read({ chat, messages }: QueryOf<'chats.read'>): Promise<QueryAnswer<'chats.read'>> {
    const chatType = chat.endsWith('@g.us') ? 'group' : 'personal';
    await this.#sock.readMessages(messages.map((target) => targetKey(target, { to: chat, chatType })));
    return {};
  }

  /** The digits under which the network knows some of these. */
  async #found(phoneNumbers: readonly string[]): Promise<string[]> {
    const found = await this.#sock.onWhatsApp(...phoneNumbers);
    if (!found) throw new QueryError({ reason: 'no_answer' });
    return found.flatMap(({ exists, jid }) => (exists ? (userDigits(jid) ?? []) : []));
  }
}

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
