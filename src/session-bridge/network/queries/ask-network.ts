import type { GroupMetadata, WASocket } from '@whiskeysockets/baileys';
import type { QueryAnswer, QueryOf, QueryVerb } from '../../../contract/bridge/network-queries.ts';
import type { Group } from '../../../contract/numbers/group.ts';
import { type PlainQuery, QueryError } from '../connection/connection.ts';
import { targetKey } from '../outbound/wire-action.ts';
import { contractPerson } from '../stanzas/groups.ts';
import { chatAddress, userDigits } from '../stanzas/jids.ts';
import { AskGroups } from './ask-groups.ts';
import { isAbsent, queryError } from './query-failure.ts';

const typingPresence = { typing: 'composing', recording: 'recording', paused: 'paused' } as const;

/** What the network knows of others, and what it is told of them. */
class AskContacts {
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

type Answers = {
  [Verb in AskedQuery['verb']]: (query: QueryOf<Verb>) => Promise<QueryAnswer<Verb>>;
};

/** Queries of the edge that the client sends to the network. All methods throw `QueryError` if there is no response. */
export class AskNetwork {
  readonly #groups: AskGroups;
  readonly #answers: Answers;

  constructor(sock: WASocket, onGroupRead: (metadata: GroupMetadata) => void) {
    const groups = new AskGroups(sock, onGroupRead);
    const contacts = new AskContacts(sock);
    const profile = new AskProfile(sock, contacts);
    this.#groups = groups;
    this.#answers = {
      'contacts.check': (query) => contacts.check(query),
      'contacts.picture': (query) => contacts.picture(query),
      'contacts.blocked': () => contacts.blocked(),
      'contacts.block': (query) => contacts.block(query),
      'chats.typing': (query) => contacts.typing(query),
      'chats.read': (query) => contacts.read(query),
      'profile.get': () => profile.get(),
      'profile.change': (query) => profile.change(query),
      'groups.create': (query) => groups.create(query),
      'groups.change': (query) => groups.change(query),
      'groups.leave': (query) => groups.leave(query),
      'groups.participants': (query) => groups.participants(query),
      'groups.invite': (query) => groups.invite(query),
      'groups.join': (query) => groups.join(query),
      'groups.requests': (query) => groups.requests(query),
      'groups.decide': (query) => groups.decide(query),
    };
  }

  async groups(): Promise<Group[]> {
    return this.#groups.all().catch((error) => Promise.reject(queryError(error)));
  }

  ask(query: AskedQuery): Promise<QueryAnswer<QueryVerb>> {
    const answer = this.#answers[query.verb] as (query: AskedQuery) => Promise<QueryAnswer<QueryVerb>>;
    return answer(query).catch((error) => Promise.reject(queryError(error)));
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
