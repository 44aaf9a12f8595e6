import type { StartAssistant } from '../automations/actions/inner-actions.ts';
import type { ContactRows } from '../contacts/contact-rows.ts';
import type { assembleConversations } from '../conversations/assemble-conversations.ts';
import { chatOf } from '../conversations/conversation.ts';
import type { ConversationHook } from '../conversations/conversation-steps.ts';
import type { EventDraft } from '../events/event-draft.ts';
import { wordsForModel } from '../messages/content-words.ts';
import {
  isForLater,
  type LoggedMessage,
  type LoggedOutbound,
  type MessageListener,
} from '../messages/logged-message.ts';
import type { MessageRows } from '../messages/message-rows.ts';
import { Assistants, type AssistantsTies } from './assistants.ts';
import { ContextMessages, Memories } from './turns/context-messages.ts';
import { LogConversations } from './turns/log-conversations.ts';

/** Older messages come when a number was away, or is linked anew: they are no turn of anybody's any more. */
const answeredMsMax = 3_600_000;

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
  /** The conversation of a message where any assistant may answer anything; else nothing is looked for. */
  const answeredIn = (message: LoggedMessage) =>
    known.anyEnabled ? conversations.of(chatOf(message)) : null;
  const replied = (message: LoggedOutbound): EventDraft[] => {
    const conversation = answeredIn(message);
    if (conversation === null) return [];
    participation.personReplied(conversation, Date.now());
    return conversations.takeDrafts();
  };
  /** Makes turns of what people write, and ends them where a person of the account answers, in the same transaction. */
  const listener: MessageListener = {
    received(message) {
      const now = Date.now();
      const conversation = now - message.receivedAt > answeredMsMax ? null : answeredIn(message);
      if (conversation === null) return [];
      participation.inbound(conversation, { id: message.id, text: wordsForModel(message.content) }, now);
      return conversations.takeDrafts();
    },
    sentFromPhone: replied,
    accepted(message) {
      const { origin, messageId } = message;
      // Here it stands in the account's order, before what a person wrote after it.
      if (origin?.kind === 'assistant') participation.accepted(origin.turnId, messageId, Date.now());
      return origin?.kind === 'person' && !isForLater(message) ? replied(message) : [];
    },
    sent: (message) => (message.origin?.kind === 'person' && isForLater(message) ? replied(message) : []),
    failed: () => [],
  };
  const startByRule: StartAssistant = ({ conversationId, assistantId, messageId }, now) => {
    const conversation = conversations.find(conversationId);
    // Nobody answers groups.
    if (conversation === null) return { ok: false, reason: 'no_assistant' };
    const found = messageId === null ? null : logged.find(messageId);
    const message =
      found?.direction === 'inbound' ? { id: found.id, text: wordsForModel(found.content) } : null;
    const started = participation.start(conversation, assistantId, message, now);
    return started.ok ? { ok: true, drafts: conversations.takeDrafts() } : started;
  };
  const answeredByRule = (messageId: string, conversationId: string, now: number) => {
    const message = known.anyEnabled ? logged.find(messageId) : null;
    if (message !== null) participation.ruleAnswered(conversationId, message.id, now);
  };
  return Object.assign(assistants, { listener, startByRule, answeredByRule });
}
