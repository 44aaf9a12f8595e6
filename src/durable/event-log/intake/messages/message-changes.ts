import type { MessageChange } from '../../../../contract/messages/changes.ts';
import { isFileContent, textOf } from '../../../../contract/messages/content.ts';
import { isoTime } from '../../../../contract/times.ts';
import { log } from '../../../log.ts';
import type { KnownPeople } from '../../contacts/known-people.ts';
import { type EventDraft, newEvent } from '../../events/event-draft.ts';
import type { Fact } from '../../facts.ts';
import { type LoggedMessage, networkChatOf } from '../../messages/logged-message.ts';
import { findTarget, type MessageRows } from '../../messages/message-rows.ts';
import { openEdit, openReaction, openVote, optionsOf } from '../../messages/sealed-changes.ts';
import { referenceOf } from './message-events.ts';

type SealedChange = Extract<MessageChange, { change: 'sealed_edit' | 'sealed_reaction' }>;
type ChangedFact = Extract<Fact, { kind: 'message.changed' }>;

/** Who changed a message, and when: milliseconds since 1970. */
export interface Deed {
  from: string;
  at: number;
}

/**
 * Changes of existing messages, by either side, and their events. The network says who made a change, and in which chat. What
 * the change itself claims about its message counts only if that agrees. Each change has the time of the person who made it: a
 * repeat, and a change that is older than the known one, change nothing.
 */
export class MessageChanges {
  readonly #rows: MessageRows;
  readonly #people: KnownPeople;

  constructor(rows: MessageRows, people: KnownPeople) {
    this.#rows = rows;
    this.#people = people;
  }

  /** Null: of a message that the log does not know. */
  changed(fact: ChangedFact): EventDraft[] | null {
    const { numberId, change } = fact;
    const groupId = change.chatType === 'group' ? change.chat : undefined;
    const message = findTarget(this.#rows, this.#people, { numberId, groupId }, change.target);
    if (message === null) return null;
    if (!this.#isInChat(message, fact) || !this.#mayDo(message, fact)) {
      const { messageId } = message;
      log('change.not_allowed', { numberId, messageId, change: change.change, chatType: change.chatType });
      return [];
    }
    const from = this.#people.nameOf(doerOf(change));
    const deed = { from, at: Date.parse(change.at) };
    switch (change.change) {
      case 'edited':
        return this.edited(message, change.text, deed);
      case 'deleted':
        return this.deleted(message, deed);
      case 'reaction':
        return this.reacted(message, change.emoji, deed);
      case 'vote':
        return this.#voted(message, change, deed);
      case 'sealed_edit':
      case 'sealed_reaction':
        return this.#opened(message, change, deed);
    }
  }

  /** What does not open, for the message came without its secret, changes nothing: what it says nobody knows. */
  #opened(message: LoggedMessage, change: SealedChange, deed: Deed): EventDraft[] {
    const { content, messageId, numberId, providerMessageId: targetId } = message;
    const isEdit = change.change === 'sealed_edit';
    const sealed = content.secret === undefined ? null : { ...change, targetId, secret: content.secret };
    const opened = sealed && (isEdit ? openEdit(sealed) : openReaction(sealed));
    if (opened === null) {
      const hasSecret = sealed !== null;
      log('change.not_opened', { numberId, messageId, change: change.change, hasSecret });
      return [];
    }
    return isEdit ? this.edited(message, opened, deed) : this.reacted(message, opened, deed);
  }

  /** Whether the change came in the chat in which the message stands. */
  #isInChat({ groupId, peer, peerLid }: LoggedMessage, { own, change }: ChangedFact): boolean {
    if (groupId !== null || change.chatType === 'group') return groupId === change.chat;
    const otherSide = change.from === own ? { digits: change.chat, lid: null } : doerOf(change);
    return this.#people.isSame({ digits: peer, lid: peerLid }, otherSide);
  }

  /** What a message says is its author's, and an admin may take it back. */
  #mayDo(message: LoggedMessage, { own, change, isByAdmin }: ChangedFact): boolean {
    if (isForEverybody(change)) return true;
    if (change.change === 'deleted' && change.chatType === 'group' && isByAdmin) return true;
    const doer = doerOf(change);
    if (message.direction === 'outbound') return doer.digits === (message.ownPhone || own);
    return this.#people.isSame({ digits: message.peer, lid: message.peerLid }, doer);
  }

  edited(message: LoggedMessage, text: string, { at }: Deed): EventDraft[] {
    const editedAt = message.editedAt ?? 0;
    // Of a place, a card or a poll there are no words that could be others.
    if (message.content.type !== 'text' && !isFileContent(message.content)) return [];
    if (message.deletedAt !== null || editedAt > at) return [];
    if (editedAt === at && textOf(message.content) === text) return [];
    this.#rows.saveText(message, text, at);
    const data = { ...headOf(message), direction: message.direction, text, editedAt: isoTime(at) };
    return [newEvent('message.edited', data)];
  }

  deleted(message: LoggedMessage, { at }: Deed): EventDraft[] {
    if (message.deletedAt !== null) return [];
    this.#rows.saveChanges({ ...message, deletedAt: at });
    const data = { ...headOf(message), direction: message.direction, deletedAt: isoTime(at) };
    return [newEvent('message.deleted', data)];
  }

  reacted(message: LoggedMessage, emoji: string, { from, at }: Deed): EventDraft[] {
    const { known, others } = this.#apart(message.reactions, from);
    if (known && (known.at > at || (known.at === at && known.emoji === emoji))) return [];
    this.#rows.saveChanges({ ...message, reactions: { ...others, [from]: { emoji, at } } });
    const { messageId, numberId } = message;
    const reaction = { chat: networkChatOf(message), from, emoji, reactedAt: isoTime(at) };
    const data = { messageId, numberId, ...reaction, ...referenceOf(message) };
    return [newEvent('message.reaction', data)];
  }

  #voted(
    message: LoggedMessage,
    vote: Extract<MessageChange, { change: 'vote' }>,
    { from, at }: Deed,
  ): EventDraft[] | null {
    const { content, messageId, numberId, providerMessageId, votes } = message;
    if (content.type !== 'poll' || content.secret === undefined) return null;
    const { secret } = content;
    const { creators: authors, voters: doers } = vote;
    const hashes = openVote({ ...vote, targetId: providerMessageId, secret, authors, doers });
    if (hashes === null) return null;
    const options = optionsOf(content.poll.options, hashes);
    const { known, others } = this.#apart(votes, from);
    const isKnown = known?.at === at && known.options.join('\n') === options.join('\n');
    if (known && (known.at > at || isKnown)) return [];
    this.#rows.saveChanges({ ...message, votes: { ...others, [from]: { options, at } } });
    const data = { messageId, numberId, from, options, votedAt: isoTime(at), ...referenceOf(message) };
    return [newEvent('poll.voted', data)];
  }

  /** What somebody has given so far, and all the rest. They may have been known by their alias alone then. */
  #apart<Given>(
    given: Record<string, Given>,
    from: string,
  ): { known?: Given; others: Record<string, Given> } {
    const { [from]: known, ...others } = given;
    if (known !== undefined || Object.keys(others).length === 0) return { known, others };
    const earlier = this.#people.namesOf({ digits: from, lid: null }).find((name) => others[name]);
    if (earlier === undefined) return { others };
    const { [earlier]: before, ...rest } = others;
    return { known: before, others: rest };
  }
}

/** Everybody in a chat may react and vote. */
const isForEverybody = ({ change }: MessageChange) =>
  change === 'reaction' || change === 'sealed_reaction' || change === 'vote';

/** Who did it, as the network names the sender. */
const doerOf = ({ from, fromLid }: MessageChange) => ({ digits: from, lid: fromLid ?? null });

function headOf(message: LoggedMessage) {
  const { messageId, numberId, providerMessageId } = message;
  return { messageId, numberId, providerMessageId, chat: networkChatOf(message), ...referenceOf(message) };
}
