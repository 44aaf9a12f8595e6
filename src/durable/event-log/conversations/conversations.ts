import type { Actor } from '../../../contract/conversations/conversation.ts';
import { type Refusal, refuse } from '../../../contract/errors.ts';
import { newUuid } from '../../new-ids.ts';
import type { ContactRows } from '../contacts/contact-rows.ts';
import type { EventDraft } from '../events/event-draft.ts';
import {
  isForLater,
  type LoggedInbound,
  type LoggedMessage,
  type LoggedOutbound,
  type MessageListener,
} from '../messages/logged-message.ts';
import type { GivingOut } from './assignment/assignment.ts';
import type { KnownTeams } from './assignment/known-teams.ts';
import type { ChatMessages } from './chat-messages.ts';
import {
  type ChatAddress,
  type Conversation,
  type ConversationChanges,
  chatOf,
  newConversation,
  type SlaFields,
} from './conversation.ts';
import { afterChanges, afterInbound, afterResponse, type Step } from './conversation-steps.ts';
import type { Changed, ConversationWriter } from './conversation-writer.ts';
import type { ConversationNotes, Note } from './notes.ts';
import type { ArchivedConversations } from './rows/archived-conversations.ts';
import type { ConversationRows } from './rows/conversation-rows.ts';

const system: Actor = { kind: 'system' };
/** So long a note is known by its key. */
const keyMs = 24 * 3_600_000;
/** Snoozed ones that are woken in one go. */
const wakeMax = 50;
/** Those of somebody who has left that become nobody's in one go. */
const freedMax = 50;

interface ConversationParts {
  rows: ConversationRows;
  writer: ConversationWriter;
  archived: ArchivedConversations;
  notes: ConversationNotes;
  messages: ChatMessages;
  contacts: ContactRows;
  teams: KnownTeams;
  givingOut: GivingOut;
  /** Whether somebody has answered a survey with it, and said nothing else. */
  isRating: (conversation: Conversation, message: LoggedInbound) => boolean;
}

/**
 * The conversations of an account: how messages and people change them. Each has one row, which is written in the transaction
 * of the message. Messages of API keys, campaigns and machines write nothing here. Call everything inside a transaction.
 * Methods return the drafts of their events to the caller.
 */
export class Conversations implements MessageListener {
  readonly #parts: ConversationParts;

  constructor(parts: ConversationParts) {
    this.#parts = parts;
  }

  // --- what messages bring -----------------------------------------------------------------------------------------

  /** Opens the conversation with whoever wrote, or opens it again. */
  received(message: LoggedInbound): EventDraft[] {
    const { rows, messages } = this.#parts;
    const now = Date.now();
    const at = Math.min(message.receivedAt, now);
    const address = chatOf(message);
    const known = rows.of(address);
    if (known?.status === 'resolved' && this.#parts.isRating(known, message)) {
      // Nobody has to see to it: it stays resolved.
      rows.put({ ...this.#withLast(known, message), lastInboundAt: at }, known);
      return [];
    }
    const before = known ?? this.#begun(address, at);
    const step = afterInbound(before, at);
    const isOpened = known === null || known.status === 'resolved';
    const conversation = {
      ...this.#withLast(step.conversation, message),
      answers: messages.answeredBy(message, address) ?? (isOpened ? null : before.answers),
    };
    return this.#parts.writer.commit(known, { ...step, conversation }, system, at).drafts;
  }

  /** The owner of the number has answered on the phone. Nobody else has to see to it. */
  sentFromPhone(message: LoggedOutbound): EventDraft[] {
    const known = this.of(message);
    return known === null ? [] : this.#answered(known, message, message.queuedAt, system);
  }

  accepted(message: LoggedOutbound): EventDraft[] {
    // One for later is no answer before it has left.
    return isForLater(message) ? [] : this.#answeredBy(message);
  }

  sent(message: LoggedOutbound): EventDraft[] {
    return isForLater(message) ? this.#answeredBy(message) : [];
  }

  /** A person's answer that never arrived was none: somebody waits again. */
  failed(message: LoggedOutbound): EventDraft[] {
    if (message.origin?.kind !== 'person') return [];
    const before = this.of(message);
    const waitingSince = before?.last?.messageId === message.messageId ? before.last.answersSince : undefined;
    if (before === null || waitingSince === undefined) return [];
    if (before.waitingSince !== null || before.status === 'resolved') return [];
    const step: Step = { conversation: { ...before, waitingSince }, moments: ['waiting_began'] };
    return this.#parts.writer.commit(before, step, system, Date.now()).drafts;
  }

  /** A group has another name. */
  named(numberId: string, groupId: string, subject: string): void {
    const { rows } = this.#parts;
    const before = rows.of({ numberId, groupId, phoneNumber: null, lid: null });
    if (before !== null && before.subject !== subject) rows.put({ ...before, subject }, before);
  }

  /** The conversation that a message belongs to. */
  of(message: LoggedMessage): Conversation | null {
    return this.#parts.rows.of(this.#chatOf(message));
  }

  /** Its id, also where it is archived. */
  idOf(message: LoggedMessage): string | null {
    const { rows, archived } = this.#parts;
    const address = this.#chatOf(message);
    return rows.of(address)?.conversationId ?? archived.idOf(address);
  }

  // --- what people do ----------------------------------------------------------------------------------------------

  /** Null: there is no such conversation. */
  change(conversationId: string, changes: ConversationChanges, by: Actor, at: number): Changed | null {
    const { rows, writer } = this.#parts;
    const before = rows.find(conversationId);
    if (before === null) return null;
    const { conversation, moments } = afterChanges(before, changes, at);
    const labels =
      String(conversation.labels) === String(before.labels)
        ? before.labels
        : rows.spellings.spelled(conversation.labels);
    return writer.commit(before, { conversation: { ...conversation, labels }, moments }, by, at);
  }

  /** The conversation of a chat, begun by a person where there is none. */
  begin(address: ChatAddress, by: Actor, at: number): Changed & { isNew: boolean } {
    const known = this.#parts.rows.of(address);
    if (known !== null) return { conversation: known, drafts: [], isNew: false };
    const begun = this.#begun(address, at);
    // By that, rules tell it from one that a message began (automations/reading/event-reading.ts).
    const conversation = by.kind === 'person' ? { ...begun, assigneeId: by.userId } : begun;
    return { ...this.#parts.writer.commit(null, { conversation, moments: [] }, by, at), isNew: true };
  }

  /** Somebody has read it. */
  read(conversationId: string, by: Actor): Changed | null {
    const { rows, notes } = this.#parts;
    const before = rows.find(conversationId);
    if (before === null) return null;
    if (by.kind === 'person') notes.forgetMention(by.userId, conversationId);
    if (before.unreadCount === 0) return { conversation: before, drafts: [] };
    const conversation = { ...before, unreadCount: 0 };
    rows.put(conversation, before);
    return {
      conversation,
      drafts: [this.#parts.writer.told('conversation.updated', conversation, { unreadCount: 0 })],
    };
  }

  /** Null: there is no such conversation. */
  addNote(conversationId: string, note: Pick<Note, 'text' | 'mentions'>, by: Actor, at: number): Note | null {
    const { rows, notes } = this.#parts;
    return rows.find(conversationId) === null ? null : notes.add(conversationId, note, by, at);
  }

  /** The same under a key, for a day: what comes again under it is no other note. Null: there is no such conversation. */
  addNoteOnce(
    conversationId: string,
    note: Pick<Note, 'text' | 'mentions'>,
    key: string,
    by: Actor,
    at: number,
  ): { ok: true; note: Note; isRepeat: boolean } | Refusal | null {
    const { rows, notes } = this.#parts;
    if (rows.find(conversationId) === null) return null;
    const known = notes.under(conversationId, key, at - keyMs);
    if (known === null) {
      return { ok: true, note: notes.add(conversationId, note, by, at, key), isRepeat: false };
    }
    const isSame = known.text === note.text && String(known.mentions) === String(note.mentions);
    if (isSame) return { ok: true, note: known, isRepeat: true };
    return refuse('IDEMPOTENCY_CONFLICT', 'This Idempotency-Key was already used with another request.');
  }

  /** Other due times, or another state of them. Null: there is no such conversation. */
  setSla(conversationId: string, fields: Partial<SlaFields>): Changed | null {
    const { rows } = this.#parts;
    const before = rows.find(conversationId);
    if (before === null) return null;
    const conversation = { ...before, ...fields };
    rows.put(conversation, before);
    const { sla } = conversation;
    if (sla === before.sla) return { conversation, drafts: [] };
    return { conversation, drafts: [this.#parts.writer.told('conversation.updated', conversation, { sla })] };
  }

  /**
   * Somebody has left the account: their conversations become unassigned, a few at a time. With the last of them (`isWhole`),
   * waiting conversations are assigned.
   */
  takeFrom(userId: string, at: number): { drafts: EventDraft[]; isWhole: boolean } {
    const had = this.#parts.rows.assignedTo(userId, freedMax);
    const drafts = had.flatMap(
      (before) =>
        this.#parts.writer.commit(before, afterChanges(before, { assigneeId: null }, at), system, at).drafts,
    );
    const isWhole = had.length < freedMax;
    return { drafts: isWhole ? [...drafts, ...this.#parts.givingOut.begin(null, at)] : drafts, isWhole };
  }

  // --- what time brings --------------------------------------------------------------------------------------------

  /** Wakes those whose time has come, some at a time. */
  wake(now: number): EventDraft[] {
    const due = this.#parts.rows.overSlept(now, wakeMax);
    return due.flatMap(
      (before) =>
        this.#parts.writer.commit(before, afterChanges(before, { status: 'open' }, now), system, now).drafts,
    );
  }

  // -----------------------------------------------------------------------------------------------------------------

  /** A person has answered; what anybody else has sent answers nothing. */
  #answeredBy(message: LoggedOutbound): EventDraft[] {
    const { origin } = message;
    if (origin?.kind !== 'person') return [];
    const by: Actor = { kind: 'person', userId: origin.userId };
    const at = message.sendAt === null ? message.queuedAt : (message.sentAt ?? message.queuedAt);
    const begun = this.begin(this.#chatOf(message), by, at);
    return [...begun.drafts, ...this.#answered(begun.conversation, message, at, by)];
  }

  #answered(before: Conversation, message: LoggedOutbound, at: number, by: Actor): EventDraft[] {
    const step = afterResponse(before, at);
    const shown = this.#withLast(step.conversation, message);
    const ended = before.waitingSince !== null && shown.waitingSince === null ? before.waitingSince : null;
    const isShown = shown.last?.messageId === message.messageId;
    const last =
      shown.last && isShown && ended !== null ? { ...shown.last, answersSince: ended } : shown.last;
    const conversation = { ...shown, last };
    return this.#parts.writer.commit(before, { ...step, conversation }, by, at).drafts;
  }

  /** A later message than the one that it shows goes to the top. */
  #withLast(conversation: Conversation, message: LoggedMessage): Conversation {
    if (message.id <= conversation.lastMessage && conversation.last !== null) return conversation;
    const last = this.#parts.messages.summary(message);
    return { ...conversation, lastMessage: Math.max(message.id, conversation.lastMessage), last };
  }

  /** The chat of a message, under the phone number that its person has by now. */
  #chatOf(message: LoggedMessage): ChatAddress {
    const chat = chatOf(message);
    const { phoneNumber } = chat;
    return { ...chat, phoneNumber: phoneNumber && this.#parts.contacts.addressOf(phoneNumber) };
  }

  #begun(address: ChatAddress, at: number): Conversation {
    const contact = address.groupId === null ? this.#parts.contacts.at(address) : null;
    const { phoneNumber = null, lid = null } = contact ?? {};
    const chat: ChatAddress = {
      ...address,
      phoneNumber: address.phoneNumber ?? (address.groupId === null ? phoneNumber : null),
      lid: address.lid ?? lid,
    };
    const former = this.#parts.archived.idOf(chat);
    if (former !== null) this.#parts.archived.comesBack(former);
    const begun = newConversation({ ...chat, conversationId: former ?? newUuid(), createdAt: at });
    return { ...begun, teamId: this.#parts.teams.ownerOf(address.numberId) };
  }
}
