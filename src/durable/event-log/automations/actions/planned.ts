import type { ActionOf, ReplyMedia } from '../../../../contract/automations/actions.ts';
import type { ActionReason } from '../../../../contract/automations/runs.ts';
import { ownValue } from '../../../../contract/given.ts';
import type { ChatType } from '../../../../contract/messages/message.ts';
import { addressOfPerson, aliasIn } from '../../../../contract/messages/recipient.ts';
import { type OptOutWords, optOutMeaning } from '../../../../contract/texts/opt-out-words.ts';
import { derivedUuid } from '../../../new-ids.ts';
import type { WebhookTarget } from '../../deliveries/delivery-order.ts';
import type { Rule } from '../rules/judge.ts';
import type { ContactFacts, TriggerEvent } from '../rules/trigger-event.ts';

/** Whom a text is for. */
interface FilledFor {
  contact: ContactFacts | null;
  phoneNumber: string | null;
}

const placeholder = /\{\{\s*([A-Za-z][\w.]*)\s*(?:\|([^{}]*))?\}\}/g;

/**
 * Fills in `{{name}}`, `{{phone}}` and `{{attributes.x}}` in a text; `{{name|there}}` has the text to use if nothing is known.
 * Inserted values are not processed again.
 */
export function fillIn(text: string, { contact, phoneNumber }: FilledFor): string {
  return text.replaceAll(placeholder, (whole, name: string, otherwise: string | undefined) => {
    const value = valueFor(name, contact, phoneNumber);
    if (value === undefined) return whole;
    return value === null || value === '' ? (otherwise ?? '').trim() : String(value);
  });
}

/** Undefined: there is no such variable, and the text stays as it was written. */
function valueFor(name: string, contact: ContactFacts | null, phoneNumber: string | null) {
  if (name === 'name') return contact?.name ?? null;
  if (name === 'phone') return phoneNumber;
  if (name.startsWith('attributes.'))
    return ownValue(contact?.attributes ?? {}, name.slice('attributes.'.length)) ?? null;
  return undefined;
}

/** What is to be done outside of the log, as it is stored. */
export type OuterAction =
  | {
      kind: 'reply';
      numberId: string;
      to: string;
      /** Whose alias `to` is. */
      contactId?: string;
      chatType: ChatType;
      /** Filled in already. */
      text?: string;
      media?: ReplyMedia;
      conversationId: string | null;
      /** When what it answers happened; milliseconds since 1970. */
      since: number;
      eventId: string;
      depth: number;
      isDelayed: boolean;
    }
  | { kind: 'call_webhook'; url: string; eventId: string; body: string };

/** An action as it is handed to whoever carries it out. The same one always has the same names. */
export type ActionOrder = {
  automationId: string;
  runId: string;
  index: number;
  /** As it stood when it was handed over; milliseconds since 1970. */
  dueAt: number;
  /** 1 for the first. */
  attempt: number;
} & (
  | { action: Extract<OuterAction, { kind: 'reply' }> }
  | { action: Extract<OuterAction, { kind: 'call_webhook' }>; target: WebhookTarget }
);

/** What came of it. */
export type ActionReport =
  | { kind: 'done'; messageId?: string }
  /** It may work later; `words` say why not now. */
  | { kind: 'again'; afterSeconds: number; reason: ActionReason; words: string }
  | { kind: 'failed'; reason: ActionReason; words: string };

/** What a rule's actions are about. */
export interface Subject {
  trigger: TriggerEvent;
  conversationId: string | null;
  contact: ContactFacts | null;
}

/** A reply as it will be sent, or why there is none. */
export function plannedReply(
  { text, media, delaySeconds = 0 }: ActionOf<'reply'>,
  { trigger, conversationId, contact }: Subject,
  optOut: OptOutWords,
): Extract<OuterAction, { kind: 'reply' }> | { reason: ActionReason } {
  const { message } = trigger;
  if (message !== null && optOutMeaning(message.text, optOut) !== null) {
    return { reason: 'opt_out_word' };
  }
  const { groupId, phoneNumber } = trigger.person;
  const to = groupId ?? addressOfPerson(trigger.person);
  if (to === null) return { reason: 'no_phone_number' };
  const filled = (words: string) => fillIn(words, { contact, phoneNumber });
  const { caption } = media ?? {};
  return {
    kind: 'reply',
    numberId: trigger.numberId,
    to,
    ...(aliasIn(to) !== null && contact !== null && { contactId: contact.contactId }),
    chatType: groupId === null ? 'personal' : 'group',
    ...(text !== undefined && { text: filled(text) }),
    ...(media !== undefined && {
      media: { ...media, ...(caption !== undefined && { caption: filled(caption) }) },
    }),
    conversationId,
    since: trigger.at,
    eventId: trigger.eventId,
    depth: trigger.chain.length + 1,
    isDelayed: delaySeconds > 0,
  };
}

/** The callback of a rule that has run. */
export function plannedCall(
  { url }: ActionOf<'call_webhook'>,
  rule: Rule,
  runId: string,
  index: number,
  { trigger, conversationId, contact }: Subject,
): OuterAction {
  const { at, numberId, message, person } = trigger;
  const eventId = `evt_${derivedUuid(at, runId, String(index))}`;
  const data = {
    automationId: rule.automationId,
    name: rule.name,
    on: rule.on,
    runId,
    eventId: trigger.eventId,
    numberId,
    ...(conversationId !== null && { conversationId }),
    ...(person.phoneNumber !== null && { from: person.phoneNumber }),
    ...(person.lid !== null && { lid: person.lid }),
    ...(person.groupId !== null && { groupId: person.groupId }),
    ...(contact !== null && {
      contact: { contactId: contact.contactId, name: contact.name, attributes: contact.attributes },
    }),
    ...(message !== null && {
      message: { messageId: message.messageId, messageType: message.messageType, text: message.text },
    }),
  };
  const timestamp = new Date(at).toISOString();
  const body = JSON.stringify({ id: eventId, event: 'automation.run', timestamp, data });
  return { kind: 'call_webhook', url, eventId, body };
}
