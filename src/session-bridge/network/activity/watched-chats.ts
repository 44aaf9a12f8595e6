import type { WASocket } from '@whiskeysockets/baileys';
import { LRUCache } from 'lru-cache';

/** How long one request is good for. */
const askedAgainAfterMs = 5 * 60_000;
const chatsMax = 1_000;

/**
 * Chats at which somebody looks: the network tells of their other side only while it is asked to, over this connection.
 * Whoever looks says so again and again, and the network is asked now and then.
 */
export class WatchedChats {
  readonly #sock: Pick<WASocket, 'presenceSubscribe'>;
  readonly #asked = new LRUCache<string, true>({ max: chatsMax, ttl: askedAgainAfterMs });

  constructor(sock: Pick<WASocket, 'presenceSubscribe'>) {
    this.#sock = sock;
  }

  async watch(address: string): Promise<void> {
    if (this.#asked.has(address)) return;
    this.#asked.set(address, true);
    try {
      await this.#sock.presenceSubscribe(address);
    } catch (error) {
      this.#asked.delete(address);
      throw error;
    }
  }
}
