import { indexedText, matchOf, phrasesOf } from '../../../search-terms.ts';
import { Tables } from '../../../storage/rows.ts';

/** The tables of the names of groups, for those who search. */
export const groupWordsSql = `
  -- A group's conversation, under the row of its words.
  CREATE TABLE group_names (id INTEGER PRIMARY KEY, conversation_id TEXT NOT NULL UNIQUE);
  CREATE VIRTUAL TABLE group_words USING fts5(words, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');
  INSERT INTO group_names (conversation_id)
    SELECT conversation_id FROM conversations WHERE group_id IS NOT NULL AND subject IS NOT NULL;
  -- In scripts that put no blanks between words, these are found by their beginnings until the group has another name.
  INSERT INTO group_words (rowid, words)
    SELECT n.id, c.subject FROM group_names AS n JOIN conversations AS c ON c.conversation_id = n.conversation_id;
`;

/** The words by which groups are found. Call what writes inside a transaction. */
export class GroupWords extends Tables {
  put(conversationId: string, subject: string): void {
    const { id } = this.queryOne<{ id: number }>(
      `INSERT INTO group_names (conversation_id) VALUES (?)
           ON CONFLICT (conversation_id) DO UPDATE SET conversation_id = excluded.conversation_id RETURNING id`,
      conversationId,
    );
    this.sql.exec('DELETE FROM group_words WHERE rowid = ?', id);
    this.sql.exec('INSERT INTO group_words (rowid, words) VALUES (?, ?)', id, indexedText(subject));
  }

  /** The conversations of groups whose names have these words, each as the beginning of one; at most `limit`. */
  find(q: string, limit: number): string[] {
    const match = phrasesOf(q)
      .map((phrase) => matchOf(phrase, true))
      .join(' ');
    if (match === '') return [];
    return this.queryValues<string>(
      `SELECT n.conversation_id FROM group_words AS w CROSS JOIN group_names AS n ON n.id = w.rowid
         WHERE group_words MATCH ? ORDER BY w.rowid DESC LIMIT ?`,
      match,
      limit,
    );
  }
}
