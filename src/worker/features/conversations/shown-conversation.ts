import type { Actor } from '../../../contract/conversations/conversation.ts';
import type { MediaUrlOf } from '../../../contract/messages/shown-content.ts';
import { isoTime } from '../../../contract/times.ts';
import type { Activity } from '../../../durable/event-log/conversations/activity.ts';
import type { Note } from '../../../durable/event-log/conversations/notes.ts';
import type { ChatItem } from '../../../durable/event-log/conversations/reading/chat-page.ts';
import type { ShownConversation } from '../../../durable/event-log/conversations/reading/shown-conversation.ts';
import { encodeCursor } from '../../http/request/query.ts';
import { messageRecord } from '../messages/shown-message.ts';

/** Names of the account's people, by their user ids. */
export type PeopleNames = ReadonlyMap<string, string>;

/** A conversation as the API shows it. */
export function shownConversation(found: ShownConversation) {
  const { conversationId, numberId, contact, groupId, subject, phoneNumber, lid, newest, answers } = found;
  return {
    conversationId,
    numberId,
    contact:
      groupId === null
        ? {
            contactId: contact?.contactId ?? null,
            phoneNumber: contact?.phoneNumber ?? phoneNumber,
            lid: contact?.lid ?? lid,
            name: contact?.ownName ?? contact?.bookName ?? null,
            pushName: contact?.pushName ?? null,
            labels: contact?.labels ?? [],
            attributes: contact?.attributes ?? {},
          }
        : null,
    group: groupId === null ? null : { groupId, subject },
    status: found.status,
    snoozedUntil: isoTime(found.snoozedUntil),
    priority: found.priority,
    assigneeId: found.assigneeId,
    teamId: found.teamId,
    labels: [...found.labels],
    unreadCount: found.unreadCount,
    lastMessage: newest && {
      messageId: newest.messageId,
      direction: newest.direction,
      status: newest.status,
      messageType: newest.messageType,
      text: newest.text,
      at: isoTime(newest.at),
      origin: newest.origin,
    },
    waitingSince: isoTime(found.waitingSince),
    answers: answers && { ...answers, at: isoTime(answers.at) },
    campaign: found.campaign,
    firstResponseDueAt: isoTime(found.firstResponseDueAt),
    nextResponseDueAt: isoTime(found.nextResponseDueAt),
    resolutionDueAt: isoTime(found.resolutionDueAt),
    sla: found.sla,
    botState: found.botState,
    createdAt: isoTime(found.createdAt),
    openedAt: isoTime(found.openedAt),
    resolvedAt: isoTime(found.resolvedAt),
    lastInboundAt: isoTime(found.lastInboundAt),
    position: found.lastMessage,
  };
}

/** A private note; `author` is null where no person has written it. */
export function shownNote({ noteId, text, author, mentions, at }: Note, names: PeopleNames) {
  return {
    noteId,
    text,
    author: author.kind === 'person' ? { userId: author.userId, name: nameOf(author.userId, names) } : null,
    ...(author.kind === 'automation' && { automationId: author.automationId }),
    ...(author.kind === 'assistant' && { assistantId: author.assistantId }),
    mentions,
    createdAt: isoTime(at),
  };
}

type MessageItem = Extract<ChatItem, { kind: 'message' }>;

export const messageItem = ({ id, kind, message }: MessageItem, urlOf: MediaUrlOf) => ({
  kind,
  cursor: encodeCursor(`${id}`),
  message: messageRecord(message, urlOf),
});

export const noteItem = (note: Note, names: PeopleNames) => ({
  kind: 'note' as const,
  cursor: encodeCursor(`${note.id}`),
  note: shownNote(note, names),
});

export const shownItem = (item: ChatItem, names: PeopleNames, urlOf: MediaUrlOf) =>
  item.kind === 'message' ? messageItem(item, urlOf) : noteItem(item.note, names);

export const shownActivity = ({ id, at, actor, action, from, to }: Activity, names: PeopleNames) => ({
  activityId: `${id}`,
  at: isoTime(at),
  actor: shownActor(actor, names),
  action,
  from: copied(from),
  to: copied(to),
});

const copied = (value: Activity['from']) =>
  typeof value === 'object' && value !== null ? [...value] : value;

function shownActor(actor: Actor, names: PeopleNames) {
  switch (actor.kind) {
    case 'person':
      return { kind: actor.kind, id: actor.userId, name: nameOf(actor.userId, names) };
    case 'automation':
      return { kind: actor.kind, id: actor.automationId };
    case 'assistant':
      return { kind: actor.kind, id: actor.assistantId };
    case 'system':
      return { kind: actor.kind };
  }
}

/** Null: they belong to the account no more. */
const nameOf = (userId: string, names: PeopleNames) => names.get(userId) ?? null;
