import { jidEncode, type WASocket } from '@whiskeysockets/baileys';
import type { QueryAnswer, QueryOf } from '../../../contract/bridge/network-queries.ts';
import { QueryError } from '../connection/connection.ts';
import { targetKey } from '../outbound/wire-action.ts';
import { contractPerson } from '../stanzas/groups.ts';
import { userDigits } from '../stanzas/jids.ts';
import { isAbsent } from './query-failure.ts';

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
