import type { ChatItem } from './chat-items.ts';

const authorOf = (item: ChatItem): string | undefined => {
  if (item.kind === 'note') return item.note.author?.userId;
  const { origin } = item.message;
  return origin?.kind === 'person' ? origin.userId : undefined;
};

/**
 * Keeps what somebody sends from standing in their chat twice. While it is being sent it stands below the chat, so what the stream
 * tells of it is held back until the send is answered.
 */
export class OwnSends {
  readonly #add: (conversationId: string, item: ChatItem) => void;
  /** By the conversation that something is being sent to. */
  readonly #held = new Map<string, ChatItem[]>();

  constructor(add: (conversationId: string, item: ChatItem) => void) {
    this.#add = add;
  }

  /** Sends something to a conversation: one at a time. */
  async send<Answer>(conversationId: string, send: () => Promise<Answer>): Promise<Answer> {
    const held: ChatItem[] = [];
    this.#held.set(conversationId, held);
    try {
      return await send();
    } finally {
      this.#held.delete(conversationId);
      for (const item of held) this.#add(conversationId, item);
    }
  }

  /** Adds what the stream tells of, once it may stand in the chat. `ownId`: the person whose page this is. */
  told(conversationId: string, item: ChatItem, ownId: string): void {
    const held = authorOf(item) === ownId ? this.#held.get(conversationId) : undefined;
    if (held === undefined) this.#add(conversationId, item);
    else held.push(item);
  }
}
