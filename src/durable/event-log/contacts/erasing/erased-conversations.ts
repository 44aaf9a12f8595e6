import { Tables } from '../../../storage/rows.ts';
import type { ConversationMerging } from '../../conversations/merging/conversation-merging.ts';
import type { ArchivedConversations } from '../../conversations/rows/archived-conversations.ts';
import type { ConversationRows } from '../../conversations/rows/conversation-rows.ts';
import type { EventDraft } from '../../events/event-draft.ts';
import { idsPerMs } from '../../messages/logged-message.ts';
import type { ResponseClock } from '../../support/cases/response-clock.ts';
import { addressesOfErased, type ErasedPerson } from './erased-person.ts';

/** Rows that go in one transaction, and how many of them a conversation itself counts as: some twenty milliseconds. */
const rowsAtOnce = 1_000;
const rowsOfConversation = 20;

/** What goes of a conversation before it does itself, some at a time; in SQL: `?1` is its id, `?2` how many rows. */
const some = (table: string) =>
  `DELETE FROM ${table} WHERE conversation_id = ?1
     AND id IN (SELECT id FROM ${table} WHERE conversation_id = ?1 LIMIT ?2) RETURNING 1`;
const parts = {
  notes: some('conversation_notes'),
  activity: some('conversation_activity'),
  // A turn that goes on ends first; its conversation is gone.
  turns: `UPDATE assistant_turns SET question = '', reply = NULL, detail = NULL WHERE id IN
     (SELECT id FROM assistant_turns WHERE conversation_id = ?1 AND ended_at IS NOT NULL
        AND (question <> '' OR reply IS NOT NULL OR detail IS NOT NULL) LIMIT ?2) RETURNING 1`,
};

interface Parts {
  sql: SqlStorage;
  rows: ConversationRows;
  archived: ArchivedConversations;
  merging: Pick<ConversationMerging, 'beginAnew'>;
  clock: Pick<ResponseClock, 'erase'>;
}

/** What a slice has erased, and the events that tell of it. `isOver`: nothing is left. */
interface ErasedSlice {
  counts: { conversations: number; notes: number };
  isOver: boolean;
  drafts: EventDraft[];
}

/** The conversations with people who are erased, their notes included. Call it inside a transaction. */
export class ErasedConversations extends Tables {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    super(parts.sql);
    this.#parts = parts;
  }

  /** Erases some of those that were there when the erasure began. What they have written since is news: it has another one. */
  erase(person: ErasedPerson, begunAt: number, now: number): ErasedSlice {
    const { rows, archived, merging } = this.#parts;
    const addresses = addressesOfErased(person);
    const slice: ErasedSlice = { counts: { conversations: 0, notes: 0 }, isOver: false, drafts: [] };
    let left = rowsAtOnce;
    const conversationsMax = rowsAtOnce / rowsOfConversation;
    const found = rows.withPerson(addresses, begunAt, conversationsMax);
    const former = archived.withPerson(addresses, conversationsMax - found.length);
    for (const conversationId of new Set([...found.map((one) => one.conversationId), ...former])) {
      const notes = this.#some(parts.notes, conversationId, left);
      slice.counts.notes += notes;
      left -= notes;
      for (const part of [parts.activity, parts.turns]) left -= this.#some(part, conversationId, left);
      if (left <= 0) return slice;
      const conversation = rows.find(conversationId);
      this.#forget(conversationId, now);
      if (conversation !== null) {
        rows.remove(conversation);
        const isNews = conversation.lastMessage >= (begunAt + 1) * idsPerMs;
        if (isNews) slice.drafts.push(...merging.beginAnew(conversation, Math.max(now, begunAt + 1)));
      }
      slice.counts.conversations += 1;
      left -= rowsOfConversation;
    }
    return { ...slice, isOver: found.length + former.length < conversationsMax };
  }

  #some(part: string, conversationId: string, limit: number): number {
    return limit <= 0 ? 0 : this.queryAll(part, conversationId, limit).length;
  }

  #forget(conversationId: string, now: number): void {
    this.#parts.clock.erase(conversationId, now);
    for (const table of ['conversation_mentions', 'assistant_memories']) {
      this.sql.exec(`DELETE FROM ${table} WHERE conversation_id = ?`, conversationId);
    }
    this.#parts.archived.remove(conversationId);
    // What is archived of it waits for the erasure to come to the archive.
    this.sql.exec("UPDATE archived_pasts SET conversation_id = '' WHERE conversation_id = ?", conversationId);
  }
}
