import type { Conversation } from '../conversations/conversation.ts';
import type { Conversations } from '../conversations/conversations.ts';
import type { ConversationRows } from '../conversations/rows/conversation-rows.ts';
import type { ConversationPort, KnownConversation } from './conversation-port.ts';

interface Parts {
  conversations: Conversations;
  rows: ConversationRows;
}

/** The account's conversations, as rules see and change them. */
export function conversationPort({ conversations, rows }: Parts): ConversationPort {
  const by = (automationId: string) => ({ kind: 'automation' as const, automationId });
  return {
    find: (conversationId) => known(rows.find(conversationId)),
    of: (numberId, person) => known(rows.of({ numberId, ...person })),
    waiting: (after, until, limit) => rows.waiting(after, until, limit).map(knownOf),
    change: (conversationId, { addLabels, removeLabels, ...change }, automationId, now) => {
      const changes = {
        ...change,
        ...(addLabels && { addLabels: [...addLabels] }),
        ...(removeLabels && { removeLabels: [...removeLabels] }),
      };
      return (
        conversations.change(conversationId, changes, by(automationId), now)?.drafts ?? 'no_conversation'
      );
    },
    note: (conversationId, text, automationId, now) =>
      conversations.addNote(conversationId, { text, mentions: [] }, by(automationId), now) !== null,
  };
}

const known = (conversation: Conversation | null) => conversation && knownOf(conversation);

function knownOf(conversation: Conversation): KnownConversation {
  const { conversationId, numberId, status, priority, assigneeId, labels, waitingSince } = conversation;
  const { phoneNumber, lid, groupId } = conversation;
  const person = { phoneNumber, lid, groupId };
  return { conversationId, numberId, status, priority, assigneeId, labels, waitingSince, person };
}
