import { ownValue } from '../../../contract/given.ts';
import type { DeviceTroubles } from '../alerts/troubles.ts';
import type { AwaitedReceipts } from '../archive/late-receipts.ts';
import type { Contacts } from '../contacts/contacts.ts';
import type { Conversations } from '../conversations/conversations.ts';
import type { EventDraft } from '../events/event-draft.ts';
import { type Fact, type FactOf, type SendFact, sendFactOf } from '../facts.ts';
import type { OwnPhones } from '../messages/own-phones.ts';
import {
  type AccountFactParts,
  alertEnded,
  alertRaised,
  campaignChanged,
  quotaExceeded,
  quotaWarning,
} from './account-facts.ts';
import type { MessageActions } from './messages/message-actions.ts';
import type { MessageChanges } from './messages/message-changes.ts';
import type { MessageFacts } from './messages/message-facts.ts';
import { callReceived, deviceChanged, groupChanged } from './number-facts.ts';

interface Parts extends AccountFactParts {
  messageFacts: MessageFacts;
  messageActions: MessageActions;
  messageChanges: MessageChanges;
  contacts: Contacts;
  conversations: Conversations;
  awaitedReceipts: AwaitedReceipts;
  phones: OwnPhones;
  troubles: DeviceTroubles;
}

/** The events that a fact brings; null: it is a receipt of a message that the log does not know. */
export type Effected = EventDraft[] | null;

/** What each kind of fact brings about. Call them inside a transaction. */
export type Effects = { [Kind in Fact['kind']]: (fact: FactOf<Kind>) => Effected };

export function effectsOn(parts: Parts): Effects {
  const { sql, state, messageFacts, messageActions, messageChanges } = parts;
  const { contacts, conversations, awaitedReceipts } = parts;
  const sent = (fact: SendFact) => {
    const { action, message } = sendFactOf(fact) ?? {};
    return action ? messageActions.told(action) : message ? messageFacts.told(message) : [];
  };
  /** Whose conversation a message belongs to follows from what is known of its author: that is told behind it. */
  const inbound = <Inbound extends FactOf<'message.received' | 'message.media'>>(
    fact: Inbound,
    take: (fact: Inbound) => EventDraft[],
  ) => {
    const known = contacts.author(fact.message, fact.numberId);
    return [...take(fact), ...known];
  };
  return {
    'message.queued': sent,
    'message.moved': sent,
    'message.sent': sent,
    'message.failed': sent,
    'message.receipt': (fact) => messageFacts.receipt(fact) ?? (awaitedReceipts.note(fact) ? [] : null),
    'message.received': (fact) => inbound(fact, (it) => messageFacts.received(it)),
    'message.changed': (fact) => messageChanges.changed(fact),
    'message.completed': (fact) => messageFacts.completed(fact),
    'message.media': (fact) => inbound(fact, (it) => messageFacts.fileSettled(it)),
    'call.received': (fact) => callReceived(fact, state),
    'device.changed': (fact) => deviceChanged(fact, parts),
    'quota.warning': (fact) => quotaWarning(fact, parts),
    'quota.exceeded': (fact) => quotaExceeded(fact, parts),
    'contacts.listed': ({ contacts: seen, at }) => seen.flatMap((one) => contacts.listed(one, at)),
    'group.changed': (fact) => {
      conversations.named(fact.numberId, fact.groupId, fact.subject);
      return groupChanged(fact, sql);
    },
    'campaign.changed': (fact) => campaignChanged(fact, parts),
    'alert.raised': (fact) => alertRaised(fact, parts),
    'alert.ended': (fact) => alertEnded(fact, parts),
  };
}

/** What a fact brings about; null for a kind that this version does not know. */
export function effectOf(effects: Effects, fact: Fact): (() => Effected) | null {
  const effect = ownValue(effects, fact.kind) as ((it: Fact) => Effected) | undefined;
  return effect === undefined ? null : () => effect(fact);
}
