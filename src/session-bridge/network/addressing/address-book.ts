import { type BinaryNode, isJidBroadcast, isJidGroup, jidEncode } from '@whiskeysockets/baileys';
import type { ChatType } from '../../../contract/messages/message.ts';
import type { DeviceKeys } from '../keys/auth-state.ts';
import { type OwnAccount, type Person, personOf, phoneAddress } from '../stanzas/jids.ts';

/** A refusal says nothing any more after that time: the network moves people from one address to the other. */
const refusalKeptMs = 24 * 3_600_000;

export interface AddressBookOptions {
  keys: DeviceKeys;
  own: () => OwnAccount;
  /**
   * Queries the devices of these people, unless they are known. The response also has their aliases. The client makes the same
   * query when it sends, so this adds none.
   */
  askDevices: (jids: string[]) => Promise<unknown>;
}

/**
 * How each contact is addressed: by phone number, or by privacy alias if the contact has moved to one. The network refuses a
 * message to the wrong one of the two (463, 400).
 */
export class AddressBook {
  readonly #options: AddressBookOptions;
  readonly #notes: ContactNotes;
  /** Contacts of whom a refusal is kept, and to whom something is on its way. */
  readonly #refused = new Set<string>();

  constructor(options: AddressBookOptions) {
    this.#options = options;
    this.#notes = new ContactNotes(options.keys);
  }

  /**
   * The address for a message. `to`: digits of a phone number, an alias as `<digits>@lid`, or a group id. A contact is
   * addressed as last time; the first time by the alias, if there is one.
   */
  async addressOf(to: string, chatType: ChatType): Promise<string> {
    if (chatType === 'group' || to.includes('@')) return to;
    const [{ last, refused }, known] = await Promise.all([
      this.#notes.of(to),
      this.#options.keys.aliasOf(to),
    ]);
    if (refused) this.#refused.add(to);
    if (last === 'pn') return phoneAddress(to);
    const lid = known ?? (await this.#askAlias(to));
    this.#shareDevices(to, lid);
    return lid === null ? phoneAddress(to) : lidOf(lid);
  }

  /** Somebody wrote to us, or our own phone to somebody: the network knows best how. */
  async heard({ attrs }: BinaryNode): Promise<void> {
    const { from, recipient, addressing_mode: mode } = attrs;
    const chat = recipient ?? from;
    if (!chat || isJidGroup(chat) || isJidBroadcast(chat) || (mode !== 'pn' && mode !== 'lid')) return;
    const alternate = recipient
      ? (attrs.peer_recipient_pn ?? attrs.peer_recipient_lid)
      : (attrs.sender_pn ?? attrs.sender_lid);
    const phoneNumber = await this.#phoneNumberOf(personOf(chat, alternate));
    if (phoneNumber === null) return;
    const note = await this.#notes.of(phoneNumber);
    const isAsExpected = note.last === undefined && note.refused === undefined && mode === 'lid';
    if (!isAsExpected && (note.last !== mode || note.refused)) this.#notes.set(phoneNumber, { last: mode });
  }

  /** The network has taken a message to this address, after it had refused one. */
  taken(to: string, address: string): void {
    if (this.#refused.delete(to)) this.#notes.set(to, { last: addressingOf(address) });
  }

  /**
   * The network refused a message to this address. True if the contact has another address that was not refused as well; the
   * next message then goes there.
   */
  async refused(to: string, address: string): Promise<boolean> {
    if (to.includes('@')) return false;
    const [note, lid] = await Promise.all([this.#notes.of(to), this.#options.keys.aliasOf(to)]);
    const used = addressingOf(address);
    const other = used === 'lid' ? 'pn' : 'lid';
    const now = Date.now();
    const refused = { ...note.refused, [used]: now };
    const mayTryOther = lid !== null && (refused[other] ?? 0) + refusalKeptMs <= now;
    this.#notes.set(to, { ...note, refused, ...(mayTryOther && { last: other }) });
    return mayTryOther;
  }

  async #askAlias(phoneNumber: string): Promise<string | null> {
    const { phoneNumber: own } = this.#options.own();
    await this.#options.askDevices([...(own ? [phoneAddress(own)] : []), phoneAddress(phoneNumber)]);
    return this.#options.keys.aliasOf(phoneNumber);
  }

  /** The client knows devices by the address that it asked for; they are the same under the other one. */
  #shareDevices(phoneNumber: string, lid: string | null): void {
    const { keys, own } = this.#options;
    const { phoneNumber: ownPhone, lid: ownLid } = own();
    if (lid !== null) keys.deviceLists.sameUser(phoneNumber, lid);
    if (ownPhone && ownLid) keys.deviceLists.sameUser(ownPhone, ownLid);
  }

  async #phoneNumberOf({ phoneNumber, lid }: Person): Promise<string | null> {
    return phoneNumber ?? (lid === null ? null : this.#options.keys.phoneNumberOf(lid));
  }
}

const lidOf = (lid: string) => jidEncode(lid, 'lid');
const addressingOf = (address: string): Addressing => (address.endsWith('@lid') ? 'lid' : 'pn');

/** Whether somebody is addressed by phone number or by privacy alias. */
type Addressing = 'pn' | 'lid';

/** What is stored about a contact. Nothing is stored if both sides' messages use the alias. */
interface ContactNote {
  /** How the network addressed their last message to us, or took our last one to them. */
  last?: Addressing;
  /** When the network refused a message of ours under each; milliseconds since 1970. */
  refused?: Partial<Record<Addressing, number>>;
}

export const contactNoteType = 'contact-addressing';

/** Notes about contacts, by the digits of their phone numbers. They are in the vault, so every bridge has them. */
class ContactNotes {
  readonly #keys: DeviceKeys;

  constructor(keys: DeviceKeys) {
    this.#keys = keys;
  }

  async of(phoneNumber: string): Promise<ContactNote> {
    const json = await this.#keys.readNote(contactNoteType, phoneNumber);
    return json === null ? {} : (JSON.parse(json) as ContactNote);
  }

  set(phoneNumber: string, note: ContactNote): void {
    this.#keys.writeNote(contactNoteType, phoneNumber, JSON.stringify(note));
  }
}
