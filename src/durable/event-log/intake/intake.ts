import type { MessageContent } from '../../../contract/messages/content.ts';
import type { Counting } from '../../counts/gathered-counts.ts';
import { logFault } from '../../log.ts';
import { Tables } from '../../storage/rows.ts';
import type { AwaitedReceipts } from '../archive/late-receipts.ts';
import type { Contacts } from '../contacts/contacts.ts';
import type { Conversations } from '../conversations/conversations.ts';
import type { EventDraft } from '../events/event-draft.ts';
import type { EventRows } from '../events/event-rows.ts';
import { type Fact, type SendFact, sendFactOf, workMax, workOf } from '../facts.ts';
import type { MessageRows } from '../messages/message-rows.ts';
import type { AlertFacts, CampaignFacts, QuotaFacts } from './account-facts.ts';
import { countFacts, logTraces, type ToldFact } from './counted-facts.ts';
import type { MessageActions } from './messages/message-actions.ts';
import type { MessageChanges } from './messages/message-changes.ts';
import type { MessageFacts } from './messages/message-facts.ts';
import type { Calls, Devices, GroupFacts } from './number-facts.ts';

interface Parts {
  accountId: string;
  storage: DurableObjectStorage;
  events: EventRows;
  messages: MessageRows;
  messageFacts: MessageFacts;
  messageActions: MessageActions;
  messageChanges: MessageChanges;
  calls: Calls;
  devices: Devices;
  groupFacts: GroupFacts;
  contacts: Contacts;
  conversations: Conversations;
  campaignFacts: CampaignFacts;
  quotaFacts: QuotaFacts;
  alertFacts: AlertFacts;
  awaitedReceipts: AwaitedReceipts;
  parked: ParkedFacts;
  counting: Counting;
  /** After a rollback: what is stored is true, what is in memory is not. */
  reload: () => void;
}

/** What came of the facts of one call. */
interface Intaken {
  /** So many of them, from the first on, are in the log now. */
  taken: number;
  events: number;
  parked: number;
  /** Receipts of messages that the log does not know. */
  unknownReceipts: number;
}

/** The events that a fact brings; null: it is a receipt of a message that the log does not know. */
type Effected = EventDraft[] | null;
type Effect = () => Effected;

/**
 * Takes facts: message rows and events of all of them in one transaction. A repeated fact changes nothing. One call takes no
 * more facts than a limit of work allows ({@link workMax}), but always the first one.
 */
export class Intake {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  append(facts: readonly Fact[], now: number): Intaken {
    try {
      return this.#takeAll(facts, now, (_, effect) => effect());
    } catch {
      // Which of them it was shows when each has a transaction of its own: it is parked, and the others are taken.
      return this.#takeAll(facts, now, (fact, effect) => this.#orPark(fact, effect, now));
    }
  }

  #takeAll(
    facts: readonly Fact[],
    now: number,
    apply: (fact: Fact, effect: Effect) => Effected | 'parked',
  ): Intaken {
    const { storage, events, messages, counting, reload } = this.#parts;
    const news: ToldFact[] = [];
    try {
      const intaken = storage.transactionSync(() => {
        const result: Intaken = { taken: 0, events: 0, parked: 0, unknownReceipts: 0 };
        let work = 0;
        for (const fact of facts) {
          work += workOf(fact);
          if (result.taken > 0 && work > workMax) break;
          const effect = this.#effectOf(fact);
          // An older version does not guess: the giver tells it again once the deploy is over.
          if (effect === null) break;
          const told = apply(fact, effect);
          if (told === 'parked') result.parked += 1;
          else if (told === null) result.unknownReceipts += 1;
          else news.push({ fact, drafts: told });
          result.taken += 1;
        }
        messages.storeProgress();
        const drafts = news.flatMap((one) => one.drafts);
        result.events = events.append(drafts, now).length;
        return result;
      });
      countFacts(counting, news);
      for (const { drafts } of news) logTraces(this.#parts.accountId, drafts);
      return intaken;
    } catch (error) {
      reload();
      throw error;
    }
  }

  #orPark(fact: Fact, effect: Effect, now: number): Effected | 'parked' {
    const { storage, messages, parked, reload } = this.#parts;
    try {
      return storage.transactionSync(() => {
        const told = effect();
        messages.storeProgress();
        return told;
      });
    } catch (error) {
      reload();
      parked.park(fact, error, now);
      return 'parked';
    }
  }

  /** What a fact brings about; null for a kind that this version does not know. */
  #effectOf(fact: Fact): Effect | null {
    const { messageFacts, messageActions, messageChanges, calls, devices, groupFacts, contacts } =
      this.#parts;
    const { campaignFacts } = this.#parts;
    const { conversations, quotaFacts, alertFacts, awaitedReceipts } = this.#parts;
    switch (fact.kind) {
      case 'message.queued':
      case 'message.moved':
      case 'message.sent':
      case 'message.failed':
        return () => {
          const { action, message } = sendFactOf(fact) ?? {};
          return action ? messageActions.told(action) : message ? this.#told(message) : [];
        };
      case 'message.receipt':
        return () => messageFacts.receipt(fact) ?? (awaitedReceipts.note(fact) ? [] : null);
      case 'message.received':
        return () => {
          // Whose conversation it is follows from what is known of them.
          const known = contacts.author(fact.message, fact.numberId);
          return [...messageFacts.received(fact), ...known];
        };
      case 'message.changed':
        return () => messageChanges.changed(fact);
      case 'call.received':
        return () => calls.received(fact);
      case 'message.completed':
        return () => messageFacts.completed(fact);
      case 'message.media':
        return () => {
          const known = contacts.author(fact.message, fact.numberId);
          return [...messageFacts.fileSettled(fact), ...known];
        };
      case 'device.changed':
        return () => devices.changed(fact);
      case 'quota.warning':
        return () => quotaFacts.warning(fact);
      case 'contacts.listed':
        return () => fact.contacts.flatMap((contact) => contacts.listed(contact, fact.at));
      case 'group.changed':
        return () => {
          conversations.named(fact.numberId, fact.groupId, fact.subject);
          return groupFacts.changed(fact);
        };
      case 'campaign.changed':
        return () => campaignFacts.changed(fact);
      case 'quota.exceeded':
        return () => quotaFacts.exceeded(fact);
      case 'alert.raised':
        return () => alertFacts.raised(fact);
      case 'alert.ended':
        return () => alertFacts.ended(fact);
      default:
        return null;
    }
  }

  #told(fact: SendFact<MessageContent>): EventDraft[] {
    const { messageFacts } = this.#parts;
    switch (fact.kind) {
      case 'message.queued':
        return messageFacts.queued(fact);
      case 'message.moved':
        return messageFacts.moved(fact);
      case 'message.sent':
        return messageFacts.sent(fact);
      case 'message.failed':
        return messageFacts.failed(fact);
    }
  }
}

/** The newest are kept. */
const factsMax = 1_000;
const factCharactersMax = 100_000;

/** Facts that could not be stored although their kind is known: kept for those who mend it, and in nobody's way. */
export class ParkedFacts extends Tables {
  park(fact: Fact, error: unknown, now: number): void {
    logFault('fact.parked', error, { kind: fact.kind });
    this.sql.exec(
      'INSERT INTO parked_facts (at, fact, error) VALUES (?, ?, ?)',
      now,
      JSON.stringify(fact).slice(0, factCharactersMax),
      String(error).slice(0, factCharactersMax),
    );
    this.sql.exec('DELETE FROM parked_facts WHERE id <= (SELECT max(id) FROM parked_facts) - ?', factsMax);
  }

  /** Whoever has this address was erased: digits, of a phone number or an alias. */
  forget(address: string): void {
    this.sql.exec(
      'DELETE FROM parked_facts WHERE instr(fact, ?) > 0 OR instr(fact, ?) > 0',
      ...[`"${address}"`, `"${address}@`],
    );
  }
}
