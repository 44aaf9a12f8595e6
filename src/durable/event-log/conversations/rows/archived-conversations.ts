import { Tables } from '../../../storage/rows.ts';
import type { ChatAddress, Conversation } from '../conversation.ts';

export const archivedConversationsSql = `
  -- Conversations whose row stands in the archive, with their past. is_back: there is one with this id again, which is yet to
  -- be told from there what it was.
  CREATE TABLE archived_conversations (
    conversation_id TEXT PRIMARY KEY,
    number_id TEXT NOT NULL,
    phone TEXT,
    lid TEXT,
    is_back INTEGER NOT NULL DEFAULT 0
  ) WITHOUT ROWID;
  CREATE INDEX archived_conversations_of_phone ON archived_conversations (phone, number_id) WHERE phone IS NOT NULL;
  CREATE INDEX archived_conversations_of_lid ON archived_conversations (lid, number_id) WHERE lid IS NOT NULL;
  CREATE INDEX archived_conversations_back ON archived_conversations (is_back) WHERE is_back = 1;
`;

/** Whose conversations are archived: so much of each stays that it has its id again when they write. */
export class ArchivedConversations extends Tables {
  add({ conversationId, numberId, phoneNumber, lid }: Conversation): void {
    this.sql.exec(
      'INSERT INTO archived_conversations (conversation_id, number_id, phone, lid) VALUES (?, ?, ?, ?)',
      ...[conversationId, numberId, phoneNumber, lid],
    );
  }

  has(conversationId: string): boolean {
    const query = 'SELECT 1 FROM archived_conversations WHERE conversation_id = ?';
    return this.queryAny(query, conversationId);
  }

  /** The archived conversation of a chat, by whichever address is known; null: none. */
  idOf({ numberId, phoneNumber, lid }: ChatAddress): string | null {
    for (const [column, address] of Object.entries({ phone: phoneNumber, lid })) {
      if (address === null) continue;
      const query = `SELECT conversation_id FROM archived_conversations WHERE ${column} = ? AND number_id = ? LIMIT 1`;
      const found = this.queryValue<string>(query, address, numberId);
      if (found !== null) return found;
    }
    return null;
  }

  /** The ids of those with somebody of these addresses, at most `limit`. */
  withPerson(addresses: readonly string[], limit: number): string[] {
    const query = `SELECT conversation_id FROM archived_conversations
      WHERE phone IN (SELECT value FROM json_each(?1)) OR lid IN (SELECT value FROM json_each(?1)) LIMIT ?2`;
    return this.queryValues<string>(query, JSON.stringify(addresses), limit);
  }

  /** There is a conversation with this id again. */
  comesBack(conversationId: string): void {
    this.sql.exec('UPDATE archived_conversations SET is_back = 1 WHERE conversation_id = ?', conversationId);
  }

  /** One that is yet to be told what it was; null: none. */
  nextBack(): string | null {
    const query = 'SELECT conversation_id FROM archived_conversations WHERE is_back = 1 LIMIT 1';
    return this.queryValue<string>(query);
  }

  remove(conversationId: string): void {
    this.sql.exec('DELETE FROM archived_conversations WHERE conversation_id = ?', conversationId);
  }
}
