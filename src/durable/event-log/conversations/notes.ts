import type { Actor } from '../../../contract/conversations/conversation.ts';
import { newUuid } from '../../new-ids.ts';
import { fieldsOf, insertRow, type RowOf, rowOf, Tables } from '../../storage/rows.ts';
import { moveHistory } from './activity.ts';

/** What somebody has written for the account's own people: it never leaves. */
export interface Note {
  noteId: string;
  /** Its place among the messages of the chat. */
  id: number;
  at: number;
  author: Actor;
  text: string;
  /** The people who are named in it, by their user ids. */
  mentions: string[];
}

export type NoteRow = RowOf<Note> & { conversation_id: string; key: string | null };

export const noteOf = ({ conversation_id, key, ...row }: NoteRow): Note =>
  fieldsOf<Note>(row, ['author', 'mentions']);

/** Messages of one millisecond begin at its first place: a note stands behind the first of them. */
const placeInMs = 500;

/** The private notes of conversations. Call what writes inside a transaction. */
export class ConversationNotes extends Tables {
  readonly #added: (conversationId: string, note: Note) => void;

  /** `added`: called within the transaction of a note. */
  constructor(sql: SqlStorage, added: (conversationId: string, note: Note) => void) {
    super(sql);
    this.#added = added;
  }

  add(
    conversationId: string,
    { text, mentions }: Pick<Note, 'text' | 'mentions'>,
    author: Actor,
    at: number,
    key: string | null = null,
  ): Note {
    const note = { noteId: newUuid(), id: this.#freePlace(conversationId, at), at, author, text, mentions };
    const row: NoteRow = { ...rowOf<Note>(note), conversation_id: conversationId, key };
    insertRow(this.sql, 'INSERT INTO conversation_notes', row);
    for (const userId of mentions) {
      this.sql.exec('INSERT OR IGNORE INTO conversation_mentions VALUES (?, ?)', userId, conversationId);
    }
    this.#added(conversationId, note);
    return note;
  }

  /** The one that was added under this key since then. */
  under(conversationId: string, key: string, since: number): Note | null {
    const query = 'SELECT * FROM conversation_notes WHERE conversation_id = ? AND id >= ? AND key = ?';
    return this.queryAll<NoteRow>(query, conversationId, since * 1000, key).map(noteOf)[0] ?? null;
  }

  /** Newest first, below `before`, at most `limit`. */
  before(conversationId: string, before: number, limit: number): Note[] {
    return this.queryAll<NoteRow>(
      'SELECT * FROM conversation_notes WHERE conversation_id = ? AND id < ? ORDER BY id DESC LIMIT ?',
      conversationId,
      before,
      limit,
    ).map(noteOf);
  }

  /** Oldest first, above `after`, at most `limit`. */
  after(conversationId: string, after: number, limit: number): Note[] {
    return this.queryAll<NoteRow>(
      'SELECT * FROM conversation_notes WHERE conversation_id = ? AND id > ? ORDER BY id LIMIT ?',
      conversationId,
      after,
      limit,
    ).map(noteOf);
  }

  /** Somebody who was named in it has seen the conversation. */
  forgetMention(userId: string, conversationId: string): void {
    const which = 'user_id = ? AND conversation_id = ?';
    this.sql.exec(`DELETE FROM conversation_mentions WHERE ${which}`, userId, conversationId);
  }

  /** Two conversations have become one. */
  move(from: string, to: string): void {
    moveHistory(this.sql, 'conversation_notes', from, to);
    this.sql.exec(
      'UPDATE OR REPLACE conversation_mentions SET conversation_id = ? WHERE conversation_id = ?',
      to,
      from,
    );
  }

  #freePlace(conversationId: string, at: number): number {
    const query = 'SELECT max(id) FROM conversation_notes WHERE conversation_id = ?';
    const last = this.queryValue<number>(query, conversationId);
    return Math.max(at * 1000 + placeInMs, (last ?? 0) + 1);
  }
}
