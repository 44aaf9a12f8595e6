import type { WAMessageKey } from '@whiskeysockets/baileys';
import { LRUCache } from 'lru-cache';
import type { SessionSettings } from '../../../contract/bridge/session-settings.ts';

const chatsKept = 1_000;
const messagesKept = 100;

export interface ReadMarksOptions {
  when: () => SessionSettings['markRead'];
  /** Tells the network that these messages were read. */
  mark: (keys: WAMessageKey[]) => Promise<void>;
}

/**
 * Marks messages that came in as read, as the number is set: as they come, or when somebody answers in their chat. What
 * is remembered until an answer is of this process alone: after a restart older messages stay as they are.
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
