import type { EventEnvelope } from '../../../../contract/events.ts';
import { type OptOutWords, optOutMeaning } from '../../../../contract/texts/opt-out-words.ts';
import type { LoggedMessage } from '../../messages/logged-message.ts';
import type { MessageRows } from '../../messages/message-rows.ts';
import type { Conversation } from '../conversation.ts';
import type { Conversations } from '../conversations.ts';
import type { ConversationRows } from '../rows/conversation-rows.ts';
import type { ChatItem } from './chat-page.ts';
import type { ConversationReader, ShownConversation } from './shown-conversation.ts';

/** What an event has made of its message and its conversation, as they are now; what is left out is as it was. */
export interface ShownWithEvent {
  item?: Extract<ChatItem, { kind: 'message' }>;
  conversation?: ShownConversation;
  /** They have written a word by which people opt out, or in again. */
  isOptOutWord?: true;
}

interface CompletionParts {
  conversations: Conversations;
  rows: ConversationRows;
  reader: ConversationReader;
  messages: MessageRows;
  /** The words of the account. */
  optOut: () => OptOutWords;
}

/** Completes events for those who follow conversations, so that nobody has to ask what they tell of. */
export class EventCompletion {
  readonly #parts: CompletionParts;

  constructor(parts: CompletionParts) {
    this.#parts = parts;
  }

  /** Null: whoever wants to know has to ask. */
  of({ event, data }: EventEnvelope): ShownWithEvent | null {
    const { conversations, rows, messages } = this.#parts;
    if ('conversationId' in data) return this.#conversation(rows.find(data.conversationId));
    // How far a message has come, its event tells; and a contact may have taken the conversations of another one.
    if (!('messageId' in data) || event === 'message.delivered' || event === 'message.read') return null;
    const message = messages.find(data.messageId);
    if (message === null) return null;
    if (event === 'message.sent') {
      return isForLater(message) ? this.#conversation(conversations.of(message)) : {};
    }
    const shown = this.#conversation(conversations.of(message));
    if (event === 'message.failed') return shown;
    const isOptOutWord =
      event === 'message.received' && optOutMeaning(data.text, this.#parts.optOut()) !== null;
    return {
      ...shown,
      item: { kind: 'message', id: message.id, message },
      ...(isOptOutWord && { isOptOutWord }),
    };
  }

  #conversation(conversation: Conversation | null): ShownWithEvent {
    return conversation === null ? {} : { conversation: this.#parts.reader.shown(conversation) };
  }
}

const isForLater = (message: LoggedMessage) =>
  message.direction === 'outbound' && message.sendAt !== null && message.sendAt > message.queuedAt;
