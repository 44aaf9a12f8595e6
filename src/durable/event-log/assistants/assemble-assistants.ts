import type { StartAssistant } from '../automations/assistant-start.ts';
import type { ContactRows } from '../contacts/contact-rows.ts';
import type { assembleConversations } from '../conversations/assemble-conversations.ts';
import type { ConversationHook } from '../conversations/conversation-hook.ts';
import type { MessageRows } from '../messages/message-rows.ts';
import { Assistants, type AssistantsTies } from './assistants.ts';
import { ContextMessages, readable } from './turns/context-messages.ts';
import { LogConversations } from './turns/log-conversations.ts';
import { Memories } from './turns/memories.ts';
import { TurnListener } from './turns/turn-listener.ts';

interface Ties extends Omit<AssistantsTies, 'conversations' | 'memories'> {
  talk: ReturnType<typeof assembleConversations>;
  contacts: ContactRows;
  logged: MessageRows;
}

/** The assistants of a log, and what tells them of messages and of changes of conversations. */
export function assembleAssistants({ talk, contacts, logged, ...ties }: Ties) {
  const { sql } = ties.ctx.storage;
  const memories = new Memories(sql);
  const messages = new ContextMessages(sql, contacts);
  const conversations = new LogConversations({ ...talk, contacts, messages, memories });
  const assistants = new Assistants({ ...ties, conversations, memories });
  const { participation, known } = assistants;
  const hook: ConversationHook = {
    on({ kind, conversation: { conversationId, botState }, at }) {
      if (kind === 'resolved') participation.resolved(conversationId, at);
      else if (kind === 'changed' && botState !== 'active') participation.stopped(conversationId, at);
      return null;
    },
    joined: (from, to, at) => participation.joined(from, to, at),
  };
  talk.hooks.push(hook);
  const listener = new TurnListener({ participation, conversations, isAny: () => known.anyEnabled });
  const startByRule: StartAssistant = ({ conversationId, assistantId, messageId }, now) => {
    const conversation = conversations.find(conversationId);
    // Nobody answers groups.
    if (conversation === null) return { ok: false, reason: 'no_assistant' };
    const found = messageId === null ? null : logged.find(messageId);
    const message = found?.direction === 'inbound' ? { id: found.id, text: readable(found.content) } : null;
    const started = participation.start(conversation, assistantId, message, now);
    return started.ok ? { ok: true, drafts: conversations.takeDrafts() } : started;
  };
  const answeredByRule = (messageId: string, conversationId: string, now: number) => {
    const message = known.anyEnabled ? logged.find(messageId) : null;
    if (message !== null) participation.ruleAnswered(conversationId, message.id, now);
  };
  return Object.assign(assistants, { listener, startByRule, answeredByRule });
}
