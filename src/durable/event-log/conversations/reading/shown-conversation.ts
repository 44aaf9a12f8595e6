import type { MessageStatus } from '../../../../contract/messages/message-status.ts';
import type { Contact } from '../../contacts/contact.ts';
import type { ContactRows } from '../../contacts/contact-rows.ts';
import type { ChatMessages } from '../chat-messages.ts';
import type { Conversation, LastMessage } from '../conversation.ts';

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
