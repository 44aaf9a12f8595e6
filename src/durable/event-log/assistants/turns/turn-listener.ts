import type { EventDraft } from '../../events/event-draft.ts';
import type { LoggedInbound, LoggedMessage, LoggedOutbound } from '../../messages/logged-message.ts';
import type { MessageListener } from '../../messages/message-listener.ts';
import { readable } from './context-messages.ts';
import type { LogConversations } from './log-conversations.ts';
import type { Participation } from './participation.ts';

interface Parts {
  participation: Participation;
  conversations: LogConversations;
  /** Whether any assistant may answer anything; else nothing is looked for. */
  isAny: () => boolean;
}

/** Older messages come when a number was away, or is linked anew: they are no turn of anybody's any more. */
const answeredMsMax = 3_600_000;

/** Makes turns of what people write, and ends them where a person of the account answers, in the same transaction. */
export class TurnListener implements MessageListener {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  received(message: LoggedInbound): EventDraft[] {
    const now = Date.now();
    if (!this.#parts.isAny() || now - message.receivedAt > answeredMsMax) return [];
    const conversation = this.#conversationOf(message);
    if (conversation === null) return [];
    const { participation, conversations } = this.#parts;
    participation.inbound(conversation, { id: message.id, text: readable(message.content) }, now);
    return conversations.takeDrafts();
  }

  sentFromPhone(message: LoggedOutbound): EventDraft[] {
    return this.#replied(message);
  }

  accepted(message: LoggedOutbound): EventDraft[] {
    const { origin, messageId } = message;
    // Here it stands in the account's order, before what a person wrote after it.
    if (origin?.kind === 'assistant')
      this.#parts.participation.accepted(origin.turnId, messageId, Date.now());
    return isPersons(message) && !isForLater(message) ? this.#replied(message) : [];
  }

  sent(message: LoggedOutbound): EventDraft[] {
    return isPersons(message) && isForLater(message) ? this.#replied(message) : [];
  }

  failed(): EventDraft[] {
    return [];
  }

  #replied(message: LoggedOutbound): EventDraft[] {
    if (!this.#parts.isAny()) return [];
    const conversation = this.#conversationOf(message);
    if (conversation === null) return [];
    this.#parts.participation.personReplied(conversation, Date.now());
    return this.#parts.conversations.takeDrafts();
  }

  #conversationOf({ numberId, chatType, peer, peerLid }: LoggedMessage) {
    if (chatType === 'group') return null;
    const phoneNumber = peer === peerLid ? null : peer;
    return this.#parts.conversations.of({ numberId, groupId: null, phoneNumber, lid: peerLid });
  }
}

const isPersons = ({ origin }: LoggedOutbound) => origin?.kind === 'person';
const isForLater = ({ sendAt, queuedAt }: LoggedOutbound) => sendAt !== null && sendAt > queuedAt;
