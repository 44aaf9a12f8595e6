import type { ContactRows } from '../contacts/contact-rows.ts';
import type { assembleConversations } from '../conversations/assemble-conversations.ts';
import type { ConversationHook } from '../conversations/conversation-hook.ts';
import { Assistants, type AssistantsTies } from './assistants.ts';
import { ContextMessages } from './turns/context-messages.ts';
import { LogConversations } from './turns/log-conversations.ts';
import { Memories } from './turns/memories.ts';
import { TurnListener } from './turns/turn-listener.ts';

interface Ties extends Omit<AssistantsTies, 'conversations' | 'memories'> {
  talk: ReturnType<typeof assembleConversations>;
  contacts: ContactRows;
}

/** The assistants of a log, and what tells them of messages and of changes of conversations. */
export function assembleAssistants({ talk, contacts, ...ties }: Ties) {
  const { sql } = ties.ctx.storage;
  const memories = new Memories(sql);
  const messages = new ContextMessages(sql);
  const conversations = new LogConversations({ ...talk, contacts, messages, memories });
  const assistants = new Assistants({ ...ties, conversations, memories });
  const { participation, known } = assistants;
  const hook: ConversationHook = {
    on({ kind, conversation: { conversationId, botState }, at }) {
      if (kind === 'resolved') participation.resolved(conversationId, at);
      else if (kind === 'changed' && botState !== 'active') participation.stopped(conversationId, at);
      return null;
    },
  };
  talk.hooks.push(hook);
  const listener = new TurnListener({ participation, conversations, isAny: () => known.anyEnabled });
  return Object.assign(assistants, { listener });
}
