import type { ContactAttributes } from '../../../src/contract/contacts/attributes.ts';
import type { Rule } from '../../../src/durable/event-log/automations/rules/judge.ts';
import type {
  RuleContext,
  TriggerEvent,
} from '../../../src/durable/event-log/automations/rules/trigger-event.ts';

export const now = Date.UTC(2026, 10, 22, 12);

export const rule = (more: Partial<Rule> = {}): Rule => ({
  automationId: 'rule',
  name: 'Rule',
  enabled: true,
  on: 'message.received',
  waitingMinutes: null,
  inGroups: false,
  conditions: [],
  actions: [{ type: 'note', text: 'seen' }],
  cooldownSeconds: 0,
  ...more,
});

export function trigger(more: Partial<TriggerEvent> = {}): TriggerEvent {
  return {
    on: 'message.received',
    eventId: 'evt_1',
    at: now,
    numberId: 'number',
    conversationId: null,
    person: { phoneNumber: '628123456789', lid: null, groupId: null },
    message: { messageId: 'msg_1', text: 'hello', messageType: 'text', writtenAt: now },
    root: { eventId: 'evt_1', at: now },
    chain: [],
    ...more,
  };
}

export const wrote = (text: string, { writtenAt = now, at = now } = {}): TriggerEvent =>
  trigger({ at, message: { messageId: 'msg_1', text, messageType: 'text', writtenAt } });

interface Around {
  conversationLabels?: string[];
  contactLabels?: string[];
  attributes?: ContactAttributes;
  phoneNumbers?: string[];
  country?: string | null;
  hours?: 'inside' | 'outside' | null;
  isOwnNumber?: boolean;
  /** Hears of what is looked up. */
  asked?: string[];
}

export function around({
  conversationLabels = [],
  contactLabels = [],
  attributes = {},
  phoneNumbers = ['628123456789'],
  country = 'ID',
  hours = 'inside',
  isOwnNumber = false,
  asked = [],
}: Around = {}): RuleContext {
  const note = <Value>(name: string, value: Value): Value => {
    asked.push(name);
    return value;
  };
  return {
    conversation: () =>
      note('conversation', {
        conversationId: 'conversation',
        status: 'open',
        priority: 'normal',
        assigneeId: null,
        labels: conversationLabels,
      }),
    contact: () => note('contact', { contactId: 'contact', name: 'Budi', labels: contactLabels, attributes }),
    isFirstMessage: () => note('isFirstMessage', true),
    hours: () => note('hours', hours),
    phoneNumbers: () => phoneNumbers,
    country: () => note('country', country),
    isOwnNumber: () => note('isOwnNumber', isOwnNumber),
  };
}

/** What has been before, in memory. */
export function memory() {
  const ran = new Map<string, number>();
  return {
    lastRanAt: (automationId: string, [person]: readonly string[]) =>
      ran.get(`${automationId} ${person}`) ?? null,
    hasRun: () => false,
    note: (automationId: string, person: string, at: number) => void ran.set(`${automationId} ${person}`, at),
  };
}
