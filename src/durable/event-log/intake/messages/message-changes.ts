import type { MessageChange } from '../../../../contract/messages/changes.ts';
import { textOf } from '../../../../contract/messages/content.ts';
import { isoTime } from '../../../../contract/times.ts';
import { newEventId } from '../../../new-ids.ts';
import type { EventDraft } from '../../events/event-draft.ts';
import type { Fact } from '../../facts.ts';
import { findTarget } from '../../messages/find-target.ts';
import type { LoggedMessage } from '../../messages/logged-message.ts';
import type { MessageRows } from '../../messages/message-rows.ts';
import { openVote, optionsOf } from '../../messages/poll-votes.ts';

const userDomain = 's.whatsapp.net';

/** Who changed a message, and when: milliseconds since 1970. */
export interface Deed {
  from: string;
  at: number;
}

/**
 * What is done to messages that are there, by either side, and the events that come of it. Each change has the time of
 * whoever made it: a repeat, and what is older than what is known, changes nothing.
 */
export class MessageChanges {
  readonly #rows: MessageRows;

  constructor(rows: MessageRows) {
    this.#rows = rows;
  }

  /** Null: of a message that the log does not know. */
  changed({ numberId, own, change }: Extract<Fact, { kind: 'message.changed' }>): EventDraft[] | null {
    const groupId = change.chatType === 'group' ? change.chat : undefined;
    const message = findTarget(this.#rows, { numberId, groupId }, change.target);
    if (message === null) return null;
    const deed = { from: change.from || own, at: Date.parse(change.at) };
    switch (change.change) {
      case 'edited':
        return this.edited(message, change.text, deed);
      case 'deleted':
        return this.deleted(message, deed);
      case 'reaction':
        return this.reacted(message, change.emoji, deed);
      case 'vote':
        return this.#voted(message, change, deed);
    }
  }

  edited(message: LoggedMessage, text: string, { at }: Deed): EventDraft[] {
    const editedAt = message.editedAt ?? 0;
    if (message.deletedAt !== null || editedAt > at) return [];
    if (editedAt === at && textOf(message.content) === text) return [];
    this.#rows.saveText(message, text, at);
    const data = { ...headOf(message), direction: message.direction, text, editedAt: isoTime(at) };
    return [{ id: newEventId(), event: 'message.edited', data }];
  }

  deleted(message: LoggedMessage, { at }: Deed): EventDraft[] {
    if (message.deletedAt !== null) return [];
    this.#rows.saveChanges({ ...message, deletedAt: at });
    const data = { ...headOf(message), direction: message.direction, deletedAt: isoTime(at) };
    return [{ id: newEventId(), event: 'message.deleted', data }];
  }

  reacted(message: LoggedMessage, emoji: string, { from, at }: Deed): EventDraft[] {
    const known = message.reactions[from];
    if (known && (known.at > at || (known.at === at && known.emoji === emoji))) return [];
    this.#rows.saveChanges({ ...message, reactions: { ...message.reactions, [from]: { emoji, at } } });
    const { messageId, numberId } = message;
    const data = { messageId, numberId, chat: chatOf(message), from, emoji, reactedAt: isoTime(at) };
    return [{ id: newEventId(), event: 'message.reaction', data }];
  }

  #voted(
    message: LoggedMessage,
    vote: Extract<MessageChange, { change: 'vote' }>,
    { from, at }: Deed,
  ): EventDraft[] | null {
    const { content, messageId, numberId, providerMessageId, votes } = message;
    if (content.type !== 'poll' || content.secret === undefined) return null;
    const hashes = openVote({ ...vote, pollId: providerMessageId, secret: content.secret });
    if (hashes === null) return null;
    const options = optionsOf(content.poll.options, hashes);
    const known = votes[from];
    const isKnown = known?.at === at && known.options.join('\n') === options.join('\n');
    if (known && (known.at > at || isKnown)) return [];
    this.#rows.saveChanges({ ...message, votes: { ...votes, [from]: { options, at } } });
    const data = { messageId, numberId, from, options, votedAt: isoTime(at) };
    return [{ id: newEventId(), event: 'poll.voted', data }];
  }
}

const chatOf = ({ groupId, peer }: LoggedMessage): string => groupId ?? `${peer}@${userDomain}`;

function headOf(message: LoggedMessage) {
  const { messageId, numberId, providerMessageId } = message;
  return { messageId, numberId, providerMessageId, chat: chatOf(message) };
}
