import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import type { Contact } from '../../contacts/contact.ts';
import type { ContactRows } from '../../contacts/contact-rows.ts';
import type { Conversation } from '../../conversations/conversation.ts';
import type { ConversationRows } from '../../conversations/rows/conversation-rows.ts';
import type { MessageRows } from '../../messages/message-rows.ts';
import type { OwnPhones } from '../../messages/own-phones.ts';
import type { ContactFacts, RuleContext, TriggerEvent } from '../rules/trigger-event.ts';

export interface LookupParts {
  sql: SqlStorage;
  messages: MessageRows;
  phones: OwnPhones;
  contactRows: ContactRows;
  conversations: ConversationRows;
  /** Whether a number is within its business hours; null: nobody has set any. */
  isOpen: (numberId: string, at: number) => boolean | null;
}

/** What is around a trigger event, as far as somebody asks: everything is looked up once, until something has changed. */
export class Lookups implements RuleContext {
  readonly #parts: LookupParts;
  readonly #trigger: TriggerEvent;
  #conversation: Conversation | null | undefined;
  #contact: ContactFacts | null | undefined;
  #isFirst: boolean | undefined;

  constructor(parts: LookupParts, trigger: TriggerEvent) {
    this.#parts = parts;
    this.#trigger = trigger;
  }

  conversation(): Conversation | null {
    if (this.#conversation === undefined) {
      const { conversationId, numberId, person } = this.#trigger;
      const { conversations } = this.#parts;
      this.#conversation =
        conversationId === null
          ? conversations.of({ numberId, ...person })
          : conversations.find(conversationId);
    }
    return this.#conversation;
  }

  contact(): ContactFacts | null {
    if (this.#contact === undefined) {
      const found = this.#parts.contactRows.at(this.#trigger.person);
      this.#contact = found && contactFacts(found);
    }
    return this.#contact;
  }

  isFirstMessage(): boolean {
    this.#isFirst ??= this.#wroteBefore() === false;
    return this.#isFirst;
  }

  hours(): 'inside' | 'outside' | null {
    const isOpen = this.#parts.isOpen(this.#trigger.numberId, this.#trigger.at);
    return isOpen === null ? null : isOpen ? 'inside' : 'outside';
  }

  phoneNumbers(): string[] {
    const { phoneNumber } = this.#trigger.person;
    return this.#parts.contactRows.digitsOf({ phoneNumber, lid: null });
  }

  country(): string | null {
    const { phoneNumber } = this.#trigger.person;
    return phoneNumber === null ? null : (parsePhoneNumberFromString(`+${phoneNumber}`)?.country ?? null);
  }

  isOwnNumber(): boolean {
    const { phoneNumber } = this.#trigger.person;
    return phoneNumber !== null && this.#parts.phones.numbersOf(phoneNumber).length > 0;
  }

  /** A rule has changed something. */
  forget(): void {
    this.#conversation = undefined;
    this.#contact = undefined;
  }

  /** Whether there is an older message of this person to this number; null: there is no message. */
  #wroteBefore(): boolean | null {
    const { message, numberId, person } = this.#trigger;
    const known = message && this.#parts.messages.find(message.messageId);
    if (!known || person.groupId !== null) return null;
    const query = `SELECT 1 FROM messages WHERE peer = ? AND id < ? AND number_id = ? AND direction = 'inbound'
      AND chat_type = 'personal' LIMIT 1`;
    return this.#parts.contactRows
      .digitsOf(person)
      .some((peer) => this.#parts.sql.exec(query, peer, known.id, numberId).toArray().length > 0);
  }
}

const contactFacts = ({
  contactId,
  ownName,
  bookName,
  pushName,
  labels,
  attributes,
}: Contact): ContactFacts => ({
  contactId,
  name: ownName ?? bookName ?? pushName,
  labels,
  attributes,
});
