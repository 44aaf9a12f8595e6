import type { InboundMessage } from '../../../../contract/bridge/bridge-frames.ts';
import { isAction } from '../../../../contract/messages/actions.ts';
import {
  type FileContent,
  isFileContent,
  type MessageContent,
  textOf,
} from '../../../../contract/messages/content.ts';
import { type MediaUrlOf, shownMedia } from '../../../../contract/messages/shown-content.ts';
import type { MessageFailures } from '../../alerts/troubles.ts';
import type { Renumbered } from '../../contacts/contacts.ts';
import type { KnownPeople } from '../../contacts/known-people.ts';
import { type EventDraft, newEvent } from '../../events/event-draft.ts';
import type { FactOf, OutboundRecord, SendFact } from '../../facts.ts';
import {
  acceptedMessage,
  type LoggedMessage,
  type LoggedOutbound,
  type MessageListener,
  notYetSent,
  unchanged,
} from '../../messages/logged-message.ts';
import { inboundMessageId } from '../../messages/message-key.ts';
import { findTarget, type MessageRows } from '../../messages/message-rows.ts';
import {
  type Climb,
  climb,
  fail,
  nobody,
  type Recipient,
  receivedEvent,
  sentFromPhoneEvent,
  stepEvents,
} from './message-events.ts';

/** What is done to a message is told apart before: see message-actions.ts. */
type MessageRecord = OutboundRecord<MessageContent>;

/**
 * What facts about messages change, and their events. Facts of one message come in any order and any number of times. The
 * first one creates the row, and a fact that is older than the row changes nothing.
 */
export class MessageFacts {
  readonly #rows: MessageRows;
  readonly #failures: MessageFailures;
  readonly #urlOf: MediaUrlOf;
  readonly #listener: MessageListener;
  readonly #people: KnownPeople;
  readonly #renumbered: Renumbered;

  constructor(
    rows: MessageRows,
    failures: MessageFailures,
    urlOf: MediaUrlOf,
    listener: MessageListener,
    people: KnownPeople,
    renumbered: Renumbered,
  ) {
    this.#rows = rows;
    this.#failures = failures;
    this.#urlOf = urlOf;
    this.#listener = listener;
    this.#people = people;
    this.#renumbered = renumbered;
  }

  /** How far a message has come that the account sends. */
  told(fact: SendFact<MessageContent>): EventDraft[] {
    const { message } = fact;
    const { known, events } = this.#known(message);
    switch (fact.kind) {
      case 'message.queued':
        return events;
      case 'message.moved':
        if (known.status === 'queued') this.#noteSender(known, message);
        return events;
      case 'message.sent':
        return [...events, ...this.#save(climb(this.#noteSender(known, message), 'sent', fact.at))];
      case 'message.failed': {
        const { at, errorMessage, errorCode = null } = fact;
        if (fail(known, errorMessage, at).steps.length === 0) return events;
        this.#failures.note(message.numberId);
        const failing = { ...this.#noteSender(known, message), errorCode };
        return [...events, ...this.#save(fail(failing, errorMessage, at))];
      }
    }
  }

  /** Null: of a message that the log does not know, as those that were sent from the phone itself. */
  receipt(fact: FactOf<'message.receipt'>): EventDraft[] | null {
    const known = this.#rows.findByProviderId(fact.providerMessageId);
    if (known === null) return null;
    // The other side of the message may be a number of this account too. Until it is known who has sent it, it may have
    // moved on to the number that tells of the receipt.
    if (known.numberId !== fact.numberId && known.status !== 'queued') return null;
    const recipient = { phoneNumber: fact.recipient, lid: fact.recipientLid };
    const isKnownMember = recipient.phoneNumber !== null || recipient.lid !== null;
    return known.chatType === 'group' && isKnownMember
      ? this.#memberReceipt(known, fact, recipient)
      : this.#save(climb(known, fact.receipt, fact.at), recipient);
  }

  /** The message comes as far as its furthest member; events tell of each member by itself. */
  #memberReceipt(
    known: LoggedOutbound,
    { receipt, at }: FactOf<'message.receipt'>,
    recipient: Recipient,
  ): EventDraft[] {
    if (known.status === 'failed') return [];
    const climbed = climb(known, receipt, at);
    if (climbed.steps.length > 0) this.#rows.saveProgress(climbed.message);
    const since = Math.max(at, climbed.message.sentAt ?? 0);
    const { steps, member } = this.#rows.receipts.note(known.id, recipient, receipt, since);
    const { deliveredAt, readAt, phoneNumber, lid } = member;
    return [
      ...stepEvents(
        climbed.steps.filter((step) => step === 'sent'),
        climbed.message,
      ),
      ...stepEvents(steps, { ...climbed.message, deliveredAt, readAt }, { phoneNumber, lid }),
    ];
  }

  received({ numberId, to, message }: FactOf<'message.received'>): EventDraft[] {
    const { providerMessageId, groupId, senderLid, from, chatType } = message;
    const receivedAt = Date.parse(message.at);
    if (this.#findInbound(numberId, message) !== null) return [];
    const messageId = idOfInbound(numberId, message, message.senderLid ?? message.from);
    const content = this.#withQuoted(numberId, message);
    const common = {
      messageId,
      numberId,
      peerLid: senderLid ?? null,
      ownPhone: to,
      chatType,
      content,
      groupId: groupId ?? null,
      providerMessageId,
      ...unchanged,
    };
    if (message.sentTo === undefined) {
      const inbound = {
        ...common,
        direction: 'inbound',
        status: 'received',
        peer: from,
        receivedAt,
      } as const;
      const stored = this.#rows.insert(inbound);
      return [
        receivedEvent(messageId, { ...message, content }, { numberId, to }, this.#urlOf),
        ...this.#listener.received(stored),
      ];
    }
    const none = { ...notYetSent, clientReference: null, sendAt: null, origin: null, senderSource: null };
    const sent = { ...common, ...none, isQuiet: false, queuedAt: receivedAt, sentAt: receivedAt } as const;
    const outbound = { ...sent, direction: 'outbound', status: 'sent', peer: message.sentTo } as const;
    const stored = this.#rows.insert(outbound);
    return [
      sentFromPhoneEvent(messageId, { ...message, content }, numberId, message.sentTo, this.#urlOf),
      ...this.#listener.sentFromPhone(stored),
    ];
  }

  /**
   * The message, if it is known. It may come twice, once with the author's privacy alias and once without. If the network
   * could not deliver it at first, the account's own phone passes it on too, with the author's other address.
   */
  #findInbound(numberId: string, message: InboundMessage): LoggedMessage | null {
    const { from, senderLid } = message;
    const alias = senderLid ?? this.#people.aliasOf(from);
    for (const author of new Set([alias ?? from, from])) {
      const known = this.#rows.findByNaturalKey(idOfInbound(numberId, message, author));
      if (known !== null) return known;
    }
    return null;
  }

  /** What it answers, by the account's own id where the log knows that message. */
  #withQuoted(numberId: string, { content, groupId }: InboundMessage): MessageContent {
    const { quoted } = content;
    if (quoted === undefined) return content;
    const messageId = findTarget(this.#rows, this.#people, { numberId, groupId }, quoted)?.messageId;
    return messageId === undefined ? content : { ...content, quoted: { ...quoted, messageId } };
  }

  completed({ message }: FactOf<'message.completed'>): EventDraft[] {
    const { content } = message;
    if (isAction(content)) return [];
    const { known, events } = this.#known({ ...message, content });
    if (isFileContent(content) && isPending(known.content))
      this.#rows.saveContent(known, { ...content, media: captioned(content.media, known) });
    return events;
  }

  /** A message that nobody has told of yet is received with its file. */
  fileSettled({ numberId, to, message }: FactOf<'message.media'>): EventDraft[] {
    const { content } = message;
    const known = this.#findInbound(numberId, message);
    if (known === null) return this.received({ kind: 'message.received', numberId, to, message });
    const { content: before, messageId } = known;
    if (!isFileContent(content) || !isPending(before)) return [];
    const settled = captioned(content.media, known);
    this.#rows.saveContent(known, { ...before, media: settled });
    const media = shownMedia(settled, this.#urlOf);
    return [newEvent('message.media', { messageId, numberId, media })];
  }

  /** The message as it stands; one that is new is stored as queued, and told so. */
  #known(record: MessageRecord): { known: LoggedOutbound; events: EventDraft[] } {
    const accepted = this.#withContact(acceptedMessage(record));
    const stored = this.#rows.findByProviderId(accepted.providerMessageId);
    if (stored !== null) return { known: stored, events: [] };
    const known = this.#rows.insert(accepted);
    const joined = known.dialled ? this.#renumbered(known.dialled, known.peer, known.queuedAt) : [];
    return {
      known,
      events: [...joined, ...stepEvents(['queued'], known), ...this.#listener.accepted(known)],
    };
  }

  /** What machines and rules send to an alias names no contact: here it is known whose it is. */
  #withContact(message: Omit<LoggedOutbound, 'id'>): Omit<LoggedOutbound, 'id'> {
    if (message.peer !== message.peerLid || message.contactId) return message;
    return { ...message, contactId: this.#people.contactOfAlias(message.peerLid) };
  }

  /** A message that waits may have moved to another number, and a number may have learned its phone number. */
  #noteSender(known: LoggedOutbound, record: MessageRecord): LoggedOutbound {
    const { numberId, senderSource } = record;
    const ownPhone = record.from ?? (numberId === known.numberId ? known.ownPhone : null);
    const isSame =
      numberId === known.numberId && ownPhone === known.ownPhone && senderSource === known.senderSource;
    if (isSame) return known;
    this.#rows.saveSender(known.messageId, { numberId, ownPhone, senderSource });
    return { ...known, numberId, ownPhone, senderSource };
  }

  #save({ message, steps }: Climb<LoggedOutbound>, recipient: Recipient = nobody): EventDraft[] {
    if (steps.length > 0) this.#rows.saveProgress(message);
    return [
      ...stepEvents(steps, message, recipient),
      ...(steps.includes('sent') ? this.#listener.sent(message) : []),
      ...(steps.includes('failed') ? this.#listener.failed(message) : []),
    ];
  }
}

/** Whether it is not known yet what became of its file. */
const isPending = (content: MessageContent): content is FileContent =>
  isFileContent(content) && content.media.status === 'pending';

/** The file with what its message says by now: that may have been edited meanwhile. */
const captioned = (
  media: FileContent['media'],
  { content, editedAt }: LoggedMessage,
): FileContent['media'] => (editedAt === null ? media : { ...media, caption: textOf(content) });

function idOfInbound(numberId: string, message: InboundMessage, author: string): string {
  const { providerMessageId, groupId, at } = message;
  return inboundMessageId(Date.parse(at), { numberId, groupId, author, providerMessageId });
}
