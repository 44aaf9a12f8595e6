import { jidEncode, type SignalRepositoryWithLIDStore } from '@whiskeysockets/baileys';
import { LRUCache } from 'lru-cache';
import type { Remedy } from '../connection/send-refusals.ts';
import type { DeviceKeys } from '../keys/auth-state.ts';
import type { AddressBook } from './address-book.ts';

/** How many messages are remembered, with the address they were sent to. */
const sentKept = 2_000;

export interface SentMessagesOptions {
  addresses: AddressBook;
  keys: DeviceKeys;
  repository: SignalRepositoryWithLIDStore;
  /** The members of a group, and their devices, are not what the network has. */
  groupOutdated: (groupId: string) => void;
}

/** The address to which each of the latest messages was sent, and what the network's response means for the next one. */
export class SentMessages {
  readonly #options: SentMessagesOptions;
  readonly #sent = new LRUCache<string, { to: string; address: string }>({ max: sentKept });

  constructor(options: SentMessagesOptions) {
    this.#options = options;
  }

  leaving(providerMessageId: string, to: string, address: string): void {
    this.#sent.set(providerMessageId, { to, address });
  }

  /** The network took it. */
  taken(providerMessageId: string): void {
    const sent = this.#sent.get(providerMessageId);
    if (sent) this.#options.addresses.taken(sent.to, sent.address);
  }

  /** The network refused it. Sees to it that it goes another way next time, and answers whether it does. */
  async remedy(providerMessageId: string, remedy: Remedy): Promise<boolean> {
    const sent = this.#sent.get(providerMessageId);
    if (!sent) return false;
    if (remedy === 'other address') return this.#options.addresses.refused(sent.to, sent.address);
    if (remedy === 'fresh members') this.#options.groupOutdated(sent.to);
    else await this.#dropSessions(sent.to);
    return true;
  }

  /** The next message queries the recipient's devices and their keys again. */
  async #dropSessions(to: string): Promise<void> {
    const { keys, repository } = this.#options;
    const [digits = '', server] = to.split('@');
    // Sessions are stored under the alias, if there is one.
    const alias = server ? digits : await keys.aliasOf(digits);
    const user = alias ?? digits;
    const devices = new Set([0, ...keys.deviceLists.devicesOf(user)]);
    const addresses = [...devices].map((device) =>
      jidEncode(user, alias === null ? 's.whatsapp.net' : 'lid', device),
    );
    await repository.deleteSession(addresses);
    keys.deviceLists.del(user);
  }
}
