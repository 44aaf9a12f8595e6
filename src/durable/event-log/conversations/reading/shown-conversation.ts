import type { EventEnvelope } from '../../../../contract/events.ts';
import type { MessageStatus } from '../../../../contract/messages/message-status.ts';
import { type OptOutWords, optOutMeaning } from '../../../../contract/texts/opt-out-words.ts';
import type { Contact } from '../../contacts/contact.ts';
import type { ContactRows } from '../../contacts/contact-rows.ts';
import { isForLater } from '../../messages/logged-message.ts';
import type { MessageRows } from '../../messages/message-rows.ts';
import type { ChatMessages } from '../chat-messages.ts';
import type { Conversation, LastMessage } from '../conversation.ts';
import type { Conversations } from '../conversations.ts';
import type { ConversationRows } from '../rows/conversation-rows.ts';
import type { ChatItem } from './chat-page.ts';

/** A conversation with what a reader wants to see of it at once. */
export interface ShownConversation extends Conversation {
  /** What they wait with an answer to, where that is a campaign. */
  campaign: { campaignId: string; name: string | null } | null;
  contact: Contact | null;
  /** The newest message of the chat, whoever has sent it. */
  newest: (LastMessage & { status: MessageStatus | 'received' }) | null;
}

/** Completes conversations for their readers. */
export class ConversationReader {
  readonly #contacts: ContactRows;
  readonly #messages: ChatMessages;
  readonly #nameOf: (campaignId: string) => string | null;

  /** `nameOf`: what a campaign is called. */
  constructor(contacts: ContactRows, messages: ChatMessages, nameOf: (campaignId: string) => string | null) {
    this.#contacts = contacts;
    this.#nameOf = nameOf;
    this.#messages = messages;
  }

  shown(conversation: Conversation): ShownConversation {
    const { groupId, last, answers } = conversation;
    const contact = groupId === null ? this.#contacts.at(conversation) : null;
    const message = this.#messages.newest(conversation);
    // What is archived has long been delivered, or not: its own record tells.
    const status = last?.direction === 'inbound' ? ('received' as const) : ('sent' as const);
    const known = last && { ...last, status };
    const newest = message === null ? known : { ...this.#messages.summary(message), status: message.status };
    const origin = answers?.origin ?? null;
    const campaign =
      origin?.kind === 'campaign'
        ? { campaignId: origin.campaignId, name: this.#nameOf(origin.campaignId) }
        : null;
    return { ...conversation, contact, newest, campaign };
  }
}

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

/**
 * Completes an event for those who follow conversations, so that nobody has to ask what it tells of. Null: whoever wants to
 * know has to.
 */
export function shownWithEvent(
  { event, data }: EventEnvelope,
  { conversations, rows, reader, messages, optOut }: CompletionParts,
): ShownWithEvent | null {
  const withConversation = (conversation: Conversation | null): ShownWithEvent =>
    conversation === null ? {} : { conversation: reader.shown(conversation) };
  if ('conversationId' in data) return withConversation(rows.find(data.conversationId));
  // How far a message has come, its event tells; and a contact may have taken the conversations of another one.
  if (!('messageId' in data) || event === 'message.delivered' || event === 'message.read') return null;
  const message = messages.find(data.messageId);
  if (message === null) return null;
  if (event === 'message.sent') {
    const wasForLater = message.direction === 'outbound' && isForLater(message);
    return wasForLater ? withConversation(conversations.of(message)) : {};
  }
  const shown = withConversation(conversations.of(message));
  if (event === 'message.failed') return shown;
  const isOptOutWord = event === 'message.received' && optOutMeaning(data.text, optOut()) !== null;
  return {
    ...shown,
    item: { kind: 'message', id: message.id, message },
    ...(isOptOutWord && { isOptOutWord }),
  };
}
