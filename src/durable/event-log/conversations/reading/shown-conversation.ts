import type { Contact } from '../../contacts/contact.ts';
import type { ContactRows } from '../../contacts/contact-rows.ts';
import type { ChatMessages } from '../chat-messages.ts';
import type { Conversation, LastMessage } from '../conversation.ts';

/** A conversation with what a reader wants to see of it at once. */
export interface ShownConversation extends Conversation {
  contact: Contact | null;
  /** The newest message of the chat, whoever has sent it. */
  newest: (LastMessage & { status: string }) | null;
}

/** Completes conversations for their readers. */
export class ConversationReader {
  readonly #contacts: ContactRows;
  readonly #messages: ChatMessages;

  constructor(contacts: ContactRows, messages: ChatMessages) {
    this.#contacts = contacts;
    this.#messages = messages;
  }

  shown(conversation: Conversation): ShownConversation {
    const { phoneNumber, lid, groupId, last } = conversation;
    const { byPhone, byLid } =
      groupId === null
        ? this.#contacts.of({ phoneNumber: phoneNumber ?? undefined, lid: lid ?? undefined })
        : { byPhone: null, byLid: null };
    const message = this.#messages.newest(conversation);
    // What is archived has long been delivered, or not: its own record tells.
    const known = last && { ...last, status: last.direction === 'inbound' ? 'received' : 'sent' };
    const newest = message === null ? known : { ...this.#messages.summary(message), status: message.status };
    return { ...conversation, contact: byPhone ?? byLid, newest };
  }
}
