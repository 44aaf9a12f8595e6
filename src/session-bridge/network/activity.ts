import type { WAMessageKey, WASocket } from '@whiskeysockets/baileys';
import { LRUCache } from 'lru-cache';
import type { SessionSettings } from '../../contract/bridge/session-settings.ts';

/**
 * Whether the number is shown as online. If it is not, its phone continues to get notifications. A client that knows it is
 * "not online" would not confirm messages as received, so their senders would not see that they arrived. Therefore the client
 * is told that it is online, and the network is told that it is not. With each change of its credentials the client sends a
 * notice that may count as being online. Then the network is told again.
 */
export class Presence {
  readonly #sock: WASocket;
  readonly #wanted: () => SessionSettings['presence'];
  /** Whether the client knows its account's name; it shows nothing without. */
  readonly #hasName: () => boolean;
  #isOpen = false;
  #shown: SessionSettings['presence'] | null = null;

  constructor(sock: WASocket, wanted: () => SessionSettings['presence'], hasName: () => boolean) {
    this.#sock = sock;
    this.#wanted = wanted;
    this.#hasName = hasName;
    sock.ev.on('creds.update', () => {
      if (this.#shown === 'unavailable') this.#shown = null;
      setImmediate(() => this.show());
    });
  }

  opened(): void {
    this.#isOpen = true;
    this.#confirmDeliveries();
    this.show();
  }

  closed(): void {
    this.#isOpen = false;
  }

  /** The settings may have changed, or the account's name has become known, without which nothing can be shown. */
  show(): void {
    const wanted = this.#wanted();
    if (!this.#isOpen || this.#shown === wanted || !this.#hasName()) return;
    this.#shown = wanted;
    // One that is lost with the connection is said again by the next.
    this.#sock.sendPresenceUpdate(wanted).catch(() => {});
    this.#confirmDeliveries();
  }

  #confirmDeliveries(): void {
    this.#sock.ev.emit('connection.update', { isOnline: true });
  }
}

/** How long one request is good for. */
const askedAgainAfterMs = 5 * 60_000;
const chatsMax = 1_000;

/**
 * Chats that somebody has open. The network reports typing in them only while it is asked to, over this connection. The page
 * repeats its request while the chat is open, and the network is asked now and then.
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

const chatsKept = 1_000;
const messagesKept = 100;

export interface ReadMarksOptions {
  when: () => SessionSettings['markRead'];
  /** Tells the network that these messages were read. */
  mark: (keys: WAMessageKey[]) => Promise<void>;
}

/**
 * Marks received messages as read, as the number is configured: on arrival, or when somebody answers in their chat. Messages
 * that wait for an answer are known only to this process: after a restart, older ones stay unread.
 */
export class ReadMarks {
  readonly #options: ReadMarksOptions;
  /** Messages that nobody has answered, by the phone number or group that an answer would go to. */
  readonly #unanswered = new LRUCache<string, WAMessageKey[]>({ max: chatsKept });

  constructor(options: ReadMarksOptions) {
    this.#options = options;
  }

  /** A message has come in and is on disk. */
  received(chat: string, key: WAMessageKey): void {
    switch (this.#options.when()) {
      case 'always':
        this.#mark([key]);
        return;
      case 'on_reply':
        this.#unanswered.set(chat, [...(this.#unanswered.get(chat) ?? []), key].slice(-messagesKept));
        return;
      case 'never':
    }
  }

  /** Something was sent into this chat. */
  answered(chat: string): void {
    const keys = this.#unanswered.get(chat);
    if (!keys) return;
    this.#unanswered.delete(chat);
    if (this.#options.when() !== 'never') this.#mark(keys);
  }

  /** A mark that is lost with the connection is not made up for: nothing was promised. */
  #mark(keys: WAMessageKey[]): void {
    this.#options.mark(keys).catch(() => {});
  }
}
