import type { ContactRows } from '../contacts/contact-rows.ts';
import { ContactSearch } from '../contacts/contact-search.ts';
import { campaignName } from '../intake/account-facts.ts';
import type { LogState } from '../log-state.ts';
import type { LoggedInbound } from '../messages/logged-message.ts';
import type { MessageRows } from '../messages/message-rows.ts';
import { ConversationActivity } from './activity.ts';
import { Assignment, GivingOut } from './assignment/assignment.ts';
import type { KnownTeams } from './assignment/known-teams.ts';
import { ChatMessages } from './chat-messages.ts';
import type { Conversation } from './conversation.ts';
import type { ConversationHook } from './conversation-steps.ts';
import { ConversationWriter } from './conversation-writer.ts';
import { Conversations } from './conversations.ts';
import { ConversationMerging } from './merging/conversation-merging.ts';
import { ConversationNotes } from './notes.ts';
import { Presence, type ViewedConversation } from './presence.ts';
import { ConversationList } from './reading/conversation-list.ts';
import { ConversationReader } from './reading/shown-conversation.ts';
import { ArchivedConversations } from './rows/archived-conversations.ts';
import { ConversationRows } from './rows/conversation-rows.ts';

/** The conversations of a log, and what they are read by. */
export function assembleConversations(
  sql: SqlStorage,
  state: LogState,
  messageRows: MessageRows,
  contacts: ContactRows,
  given: readonly ConversationHook[],
  isRating: (conversation: Conversation, message: LoggedInbound) => boolean,
  team: {
    known: KnownTeams;
    online: () => readonly string[];
    tell: (viewed: ViewedConversation[]) => void;
  },
) {
  // Those that have to know the conversations themselves are added behind.
  const hooks = [...given];
  const rows = new ConversationRows(sql);
  const archived = new ArchivedConversations(sql);
  const presence = new Presence(sql);
  /** No event tells of notes: they never leave. Colleagues see them all the same, once they are stored. */
  const notes = new ConversationNotes(sql, (conversationId, { id, noteId }) =>
    queueMicrotask(() => {
      const conversation = rows.find(conversationId);
      const [note] = notes.before(conversationId, id + 1, 1);
      if (conversation === null || note?.noteId !== noteId) return;
      team.tell([{ ...presence.of(conversation, Date.now()), hasNote: true, note }]);
    }),
  );
  const activity = new ConversationActivity(sql);
  const messages = new ChatMessages(sql, messageRows, contacts);
  const assignment = new Assignment(sql, team.known, team.online);
  const teams = team.known;
  const writer = new ConversationWriter({ rows, activity, contacts, hooks, assignment });
  const givingOut = new GivingOut(state, assignment, (waiting, at) => writer.give(waiting, at));
  const conversations = new Conversations({
    rows,
    writer,
    archived,
    notes,
    messages,
    contacts,
    isRating,
    teams,
    givingOut,
  });
  const merging = new ConversationMerging({ rows, writer, notes, activity, messages, hooks, teams });
  const list = new ConversationList(sql, rows, new ContactSearch(sql));
  const reader = new ConversationReader(contacts, messages, (campaignId) => campaignName(sql, campaignId));
  return {
    conversations,
    merging,
    rows,
    archived,
    notes,
    activity,
    messages,
    list,
    reader,
    presence,
    hooks,
    assignment,
    givingOut,
  };
}
