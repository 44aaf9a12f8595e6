import type { AutomationTrigger } from '../../../../contract/automations/fields.ts';
import type { ContactAttributes } from '../../../../contract/contacts/attributes.ts';
import type { MessageType } from '../../../../contract/messages/content.ts';

/** Something that rules may answer. Times are milliseconds since 1970. */
export interface TriggerEvent {
  on: Exclude<AutomationTrigger, 'outside_hours'>;
  /** Of the event; of a wait, derived from the conversation and when it began to wait. */
  eventId: string;
  at: number;
  numberId: string;
  /** The conversation, where the event names it. */
  conversationId: string | null;
  /** Who is on the other side. */
  person: { phoneNumber: string | null; lid: string | null; groupId: string | null };
  message: {
    messageId: string;
    text: string;
    messageType: MessageType;
    /** When its author wrote it. */
    writtenAt: number;
  } | null;
  /** What it all began with: this event itself, where no rule has caused it. */
  root: { eventId: string; at: number };
  /** The rules that have caused it, the last one last; none where people did. */
  chain: readonly string[];
}

/** The other side of a conversation. */
export const personOf = ({ phoneNumber, lid, groupId }: TriggerEvent['person']): TriggerEvent['person'] => ({
  phoneNumber,
  lid,
  groupId,
});

/** Why something has happened that a rule has caused. */
export type Cause = Pick<TriggerEvent, 'root' | 'chain'>;

/** A conversation, as far as conditions ask for it. */
interface ConversationFacts {
  conversationId: string;
  status: string;
  priority: string | null;
  assigneeId: string | null;
  labels: readonly string[];
}

/** A contact, as far as conditions and replies ask for it. */
export interface ContactFacts {
  contactId: string;
  name: string | null;
  labels: readonly string[];
  attributes: ContactAttributes;
}

/** What is around a trigger event: looked up only where a condition asks for it. */
export interface RuleContext {
  conversation(): ConversationFacts | null;
  contact(): ContactFacts | null;
  /** Nobody on the other side has written to this number before. */
  isFirstMessage(): boolean;
  /** Null: no business hours are set. */
  hours(): 'inside' | 'outside' | null;
  /** All digits of the person on the other side; none of whom only an alias is known, and of a group. */
  phoneNumbers(): readonly string[];
  /** Two letters; null: not known. */
  country(): string | null;
  /** Another number of the account is on the other side. */
  isOwnNumber(): boolean;
}

/**
 * The person that cooldowns and caps count, whichever number they write to. The first name is the present one; the others are
 * earlier ones.
 */
export const personNames = ({ phoneNumber, lid, groupId }: TriggerEvent['person']): string[] =>
  groupId === null ? [phoneNumber, lid].filter((name) => name !== null) : [groupId];

export const personKey = (person: TriggerEvent['person']): string => personNames(person)[0] ?? '';
