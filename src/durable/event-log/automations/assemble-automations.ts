import type { Conversation } from '../conversations/conversation.ts';
import type { ConversationHook } from '../conversations/conversation-steps.ts';
import type { Conversations } from '../conversations/conversations.ts';
import type { ConversationRows } from '../conversations/rows/conversation-rows.ts';
import { idsPerMs } from '../messages/logged-message.ts';
import { Automations, type AutomationsParts } from './automations.ts';
import type { ConversationPort, KnownConversation } from './conversation-port.ts';
import type { LookupParts } from './reading/lookups.ts';

interface Needs
  extends Omit<AutomationsParts, 'lookups' | 'hasAnswered'>,
    Omit<LookupParts, 'conversations' | 'sql'> {
  talk: { conversations: Conversations; rows: ConversationRows; hooks: ConversationHook[] };
}

/** The rules of a log, over what they look at and change. */
export function assembleAutomations(needs: Needs): Automations {
  const { talk, ctx, messages, phones, contactRows, isOpen } = needs;
  const { sql } = ctx.storage;
  const conversations = conversationPort(talk);
  const hasAnswered = ({ numberId, to }: { numberId: string; to: string }, since: number) =>
    sql
      .exec(
        `SELECT 1 FROM messages WHERE peer = ? AND id > ? AND number_id = ? AND direction = 'outbound'
           AND (sender_source IS NULL OR origin ->> '$.kind' = 'person') LIMIT 1`,
        ...[to, since * idsPerMs, numberId],
      )
      .toArray().length > 0;
  const lookups = { sql, messages, phones, contactRows, conversations, isOpen };
  const automations = new Automations({ ...needs, lookups, hasAnswered });
  talk.hooks.push(automations.hook);
  return automations;
}

interface Parts {
  conversations: Conversations;
  rows: ConversationRows;
}

/** The account's conversations, as rules see and change them. */
function conversationPort({ conversations, rows }: Parts): ConversationPort {
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
