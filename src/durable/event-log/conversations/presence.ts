import type { TypingState } from '../../../contract/bridge/network-queries.ts';
import { Tables } from '../../storage/rows.ts';
import type { Conversation } from './conversation.ts';
import type { Note } from './notes.ts';

/** What somebody does in a conversation. */
export type ViewingState = 'viewing' | 'typing';

/** Somebody who looks at a conversation, or types in it. Times are milliseconds since 1970. */
export interface Viewer {
  userId: string;
  name: string;
  state: ViewingState;
  until: number;
}

/** Who is in a conversation; `lockedBy`: who types in it, and was the first of those who do. */
export interface ViewedConversation {
  conversationId: string;
  numberId: string;
  people: Viewer[];
  lockedBy: string | null;
  /** A note was written in it just now. */
  hasNote?: true;
  /** That one. Left out by older code. */
  note?: Note;
}

/** Whoever looks says so every 20 seconds, whoever types every 5. */
const lastsMs: Record<ViewingState, number> = { viewing: 30_000, typing: 10_000 };

type Row = {
  conversation_id: string;
  number_id: string;
  user_id: string;
  name: string;
  state: ViewingState;
  since: number;
  until: number;
};

/** Who looks at which conversation now. It is of no use a minute later. Call what writes inside a transaction. */
export class Presence extends Tables {
  note(
    conversationId: string,
    { userId, name }: Pick<Viewer, 'userId' | 'name'>,
    state: ViewingState | 'left',
    now: number,
  ): void {
    this.sql.exec('DELETE FROM conversation_viewers WHERE until <= ?', now);
    if (state === 'left') {
      const query = 'DELETE FROM conversation_viewers WHERE conversation_id = ? AND user_id = ?';
      this.sql.exec(query, conversationId, userId);
      return;
    }
    this.sql.exec(
      `INSERT INTO conversation_viewers (conversation_id, user_id, name, state, since, until)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6)
       ON CONFLICT (conversation_id, user_id) DO UPDATE SET name = ?3, until = ?6,
         since = CASE WHEN state = ?4 THEN since ELSE ?5 END, state = ?4`,
      ...[conversationId, userId, name, state, now, now + lastsMs[state]],
    );
  }

  of({ conversationId, numberId }: Conversation, now: number): ViewedConversation {
    const found = this.#read('v.conversation_id = ? AND until > ?', conversationId, now)[0];
    return found ?? { conversationId, numberId, people: [], lockedBy: null };
  }

  all(now: number): ViewedConversation[] {
    return this.#read('until > ?', now);
  }

  #read(condition: string, ...values: SqlStorageValue[]): ViewedConversation[] {
    const rows = this.queryAll<Row>(
      `SELECT v.*, c.number_id FROM conversation_viewers v JOIN conversations c USING (conversation_id)
         WHERE ${condition} ORDER BY v.conversation_id, since, user_id`,
      ...values,
    );
    return [...Map.groupBy(rows, (row) => row.conversation_id)].map(([conversationId, people]) => ({
      conversationId,
      numberId: people[0]?.number_id ?? '',
      people: people.map(({ user_id, name, state, until }) => ({ userId: user_id, name, state, until })),
      lockedBy: people.find(({ state }) => state === 'typing')?.user_id ?? null,
    }));
  }
}

/**
 * What the other side of a conversation is doing now. It is not stored: somebody who joins later learns it with the next
 * report. `until`: milliseconds since 1970.
 */
export interface ContactTyping {
  conversationId: string;
  numberId: string;
  state: TypingState;
  until: number;
}

/** A phone says again that somebody types while they do, and not always that they have stopped. */
const typingLastsMs = 20_000;

export const contactTyping = (
  { conversationId, numberId }: Conversation,
  state: TypingState,
  now: number,
): ContactTyping => ({
  conversationId,
  numberId,
  state,
  until: state === 'paused' ? now : now + typingLastsMs,
});
