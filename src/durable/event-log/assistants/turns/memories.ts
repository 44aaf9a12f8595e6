/** What an assistant knows of a conversation that it takes part in. */
export interface Memory {
  conversationId: string;
  assistantId: string;
  /** The first message that it knows of, by its id in `messages`. */
  since: number;
  /** Tokens that this conversation has used. */
  tokens: number;
  isIntroduced: boolean;
  /** Of the messages from `since` up to `summarisedTo`. */
  summary: string | null;
  summarisedTo: number | null;
}

type Row = {
  conversation_id: string;
  assistant_id: string;
  since: number;
  tokens: number;
  is_introduced: number;
  summary: string | null;
  summarised_to: number | null;
};

/** The table of memories. Call what writes inside a transaction. */
export class Memories {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  find(conversationId: string): Memory | null {
    const row = this.#sql
      .exec<Row>('SELECT * FROM assistant_memories WHERE conversation_id = ?', conversationId)
      .toArray()[0];
    if (row === undefined) return null;
    return {
      conversationId: row.conversation_id,
      assistantId: row.assistant_id,
      since: row.since,
      tokens: row.tokens,
      isIntroduced: row.is_introduced === 1,
      summary: row.summary,
      summarisedTo: row.summarised_to,
    };
  }

  put(memory: Memory): void {
    const { conversationId, assistantId, since, tokens, isIntroduced, summary, summarisedTo } = memory;
    this.#sql.exec(
      'INSERT OR REPLACE INTO assistant_memories VALUES (?, ?, ?, ?, ?, ?, ?)',
      ...[conversationId, assistantId, since, tokens, isIntroduced ? 1 : 0, summary, summarisedTo],
    );
  }

  forget(conversationId: string): void {
    this.#sql.exec('DELETE FROM assistant_memories WHERE conversation_id = ?', conversationId);
  }
}
