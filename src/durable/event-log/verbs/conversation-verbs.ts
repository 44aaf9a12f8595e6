import type { TypingState } from '../../../contract/bridge/network-queries.ts';
import type { Actor } from '../../../contract/conversations/conversation.ts';
import type { Refusal } from '../../../contract/errors.ts';
import type { MessageTarget } from '../../../contract/messages/changes.ts';
import { type Activity, type ActivityRow, activityOf } from '../conversations/activity.ts';
import {
  addressOf,
  type ChatAddress,
  type ChatOf,
  type Conversation,
  type ConversationChanges,
} from '../conversations/conversation.ts';
import type { Note } from '../conversations/notes.ts';
import { contactTyping, type ViewingState } from '../conversations/presence.ts';
import type { ChatPage, ChatPageUpwards } from '../conversations/reading/chat-page.ts';
import type {
  ConversationFilter,
  ConversationQuery,
  Place,
} from '../conversations/reading/conversation-list.ts';
import type { ShownConversation } from '../conversations/reading/shown-conversation.ts';
import type { PresenceFrame } from '../feed/feed-frames.ts';
import type { LoggedMessage } from '../messages/logged-message.ts';
import { type ReportRange, type SupportReport, supportReport } from '../support/support-report.ts';
import type { LogClass } from './log-object.ts';

export function conversationVerbs<Base extends LogClass>(base: Base) {
  return class extends base {
    conversation(conversationId: string): Conversation | null {
      return this.parts.talk.rows.find(conversationId);
    }

    /** The conversation of a chat, by whichever address of the other side is known. */
    conversationOf(chat: ChatOf): Conversation | null {
      return this.parts.talk.rows.of(this.#addressOf(chat));
    }

    #addressOf(chat: ChatOf): ChatAddress {
      const { phoneNumber } = chat;
      const { rows } = this.parts.people;
      return addressOf(
        phoneNumber === undefined ? chat : { ...chat, phoneNumber: rows.addressOf(phoneNumber) },
      );
    }

    /** Null: there is no such conversation. */
    changeConversation(conversationId: string, changes: ConversationChanges, by: Actor): Conversation | null {
      const { conversations } = this.parts.talk;
      const changed = this.tell((now) => conversations.change(conversationId, changes, by, now));
      return changed?.conversation ?? null;
    }

    /** The conversation of a chat, begun by somebody where there is none. */
    beginConversation(chat: ChatOf, by: Actor): { conversation: Conversation; isNew: boolean } {
      const { conversations } = this.parts.talk;
      const { conversation, isNew } = this.tell((now) => conversations.begin(this.#addressOf(chat), by, now));
      return { conversation, isNew };
    }

    /** Somebody has read it; false: there is no such conversation. */
    readConversation(conversationId: string, by: Actor): boolean {
      const { conversations } = this.parts.talk;
      return this.tell(() => conversations.read(conversationId, by)) !== null;
    }

    /** A conversation as readers see it; null: there is none. One that is archived is a row again from then on. */
    async shownConversation(conversationId: string): Promise<ShownConversation | null> {
      const { rows, reader } = this.parts.talk;
      await this.parts.conversationArchive.restore(conversationId);
      const conversation = rows.find(conversationId);
      return conversation && reader.shown(conversation);
    }

    conversationPage(query: ConversationQuery): { conversations: ShownConversation[]; next: Place | null } {
      const { list, reader } = this.parts.talk;
      const { conversations, next } = list.page(query);
      return { conversations: conversations.map((one) => reader.shown(one)), next };
    }

    /** How many there are of each, counted to `most`. */
    conversationCounts(filters: readonly ConversationFilter[], most: number): number[] {
      return filters.map((filter) => this.parts.talk.list.count(filter, most));
    }

    /** A page of a chat, newest first; null: there is no such conversation. */
    async chatPage(
      conversationId: string,
      page: { limit: number; before: number | null; after: number | null },
    ): Promise<ChatPage | null> {
      const conversation = this.parts.talk.rows.find(conversationId);
      return conversation && this.parts.chatPages.page(conversation, page);
    }

    /** The same from another end: oldest first, above a place. */
    async chatPageUpwards(
      conversationId: string,
      page: { limit: number; after: number; below: number | null },
    ): Promise<ChatPageUpwards | null> {
      const conversation = this.parts.talk.rows.find(conversationId);
      return conversation && this.parts.chatPages.upwards(conversation, page);
    }

    /** What waits for its time in a chat; null: there is no such conversation. */
    scheduledMessages(conversationId: string): LoggedMessage[] | null {
      const conversation = this.parts.talk.rows.find(conversationId);
      return conversation && this.parts.chatPages.scheduled(conversation, Date.now());
    }

    /** Who did what, newest first, one more than `limit` where there is more. */
    conversationActivity(conversationId: string, limit: number, before: number | null): Promise<Activity[]> {
      const { talk, pastReader } = this.parts;
      const asked = { below: before ?? Number.MAX_SAFE_INTEGER, downTo: 0, limit: limit + 1 };
      const kept = talk.activity.before(conversationId, asked.below, asked.limit);
      return pastReader.complete(conversationId, 'activity', kept, asked, (row) =>
        activityOf(row as unknown as ActivityRow),
      );
    }

    /** The conversations that these messages belong to, in their order; null where there is none. */
    conversationsOf(messages: readonly LoggedMessage[]): (string | null)[] {
      const { conversations } = this.parts.talk;
      return messages.map((message) => conversations.idOf(message));
    }

    /** Somebody looks at a conversation, types in it, or has left it; who is in it now. Null: there is none. */
    viewConversation(
      conversationId: string,
      person: { userId: string; name: string },
      state: ViewingState | 'left',
    ): PresenceFrame | null {
      const { presence, rows } = this.parts.talk;
      const conversation = rows.find(conversationId);
      if (conversation === null) return null;
      const now = Date.now();
      this.ctx.storage.transactionSync(() => presence.note(conversationId, person, state, now));
      return this.parts.feed.tellViewers([presence.of(conversation, now)]);
    }

    /** The other side of a chat types, or has stopped: whoever follows conversations sees it. */
    noteTyping(chat: ChatOf, state: TypingState): void {
      const conversation = this.conversationOf(chat);
      if (conversation !== null)
        this.parts.feed.tellViewers([], [contactTyping(conversation, state, Date.now())]);
    }

    /** A team is gone, in D1 already; see {@link SlicedWork}. */
    forgetTeam(teamId: string): void {
      const { talk, goneTeams } = this.parts;
      this.ctx.storage.transactionSync(() => {
        goneTeams.run(Date.now(), [...goneTeams.left, teamId]);
        talk.assignment.forgetTeam(teamId);
      });
      this.timers.arm();
    }

    /** Null: there is no such conversation. */
    addNote(conversationId: string, note: Pick<Note, 'text' | 'mentions'>, by: Actor): Note | null {
      const { conversations } = this.parts.talk;
      return this.ctx.storage.transactionSync(() =>
        conversations.addNote(conversationId, note, by, Date.now()),
      );
    }

    /** The same under a key; see {@link Conversations.addNoteOnce}. */
    addNoteOnce(
      conversationId: string,
      note: Pick<Note, 'text' | 'mentions'>,
      key: string,
      by: Actor,
    ): { ok: true; note: Note; isRepeat: boolean } | Refusal | null {
      const { conversations } = this.parts.talk;
      return this.ctx.storage.transactionSync(() =>
        conversations.addNoteOnce(conversationId, note, key, by, Date.now()),
      );
    }

    /** What the other side has written and nobody has read, newest first, as the network names it. */
    unreadTargets(conversationId: string, limit: number): MessageTarget[] {
      const { rows, messages } = this.parts.talk;
      const conversation = rows.find(conversationId);
      return conversation === null ? [] : messages.unreadTargets(conversation, limit);
    }

    /** How conversations went that were opened between two times. */
    supportReport(range: ReportRange): Promise<SupportReport> {
      return supportReport(this.ctx.storage.sql, range);
    }
  };
}
