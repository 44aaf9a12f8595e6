/** A longer text is no word that the account listens for. */
const textCharactersMax = 32;

/** Who wrote to the number, as the account is told it. */
export interface InboundNote {
  /** Digits of a phone number. */
  from: string;
  /** Milliseconds since 1970. */
  at: number;
  /** Only of short messages: opt-outs are words, not letters. */
  text: string | null;
}

/** Who has written in, kept until the account knows: it remembers conversations and listens for opt-outs. */
export class InboundNotes {
  readonly #sql: SqlStorage;
  /** A look has shown that there are none, and none was added since. */
  #isKnownEmpty = false;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Call inside the transaction that stores the message. */
  add(from: string, at: number, text: string): void {
    this.#isKnownEmpty = false;
    this.#sql.exec(
      'INSERT INTO inbound_notes (author, at, text) VALUES (?, ?, ?)',
      from,
      at,
      text.length <= textCharactersMax ? text : null,
    );
  }

  /** The oldest ones, at most `limit`, and the place up to which `forget` may take them. */
  first(limit: number): { items: InboundNote[]; through: number } {
    const rows = this.#sql
      .exec<{ seq: number; author: string; at: number; text: string | null }>(
        'SELECT * FROM inbound_notes ORDER BY seq LIMIT ?',
        limit,
      )
      .toArray();
    return {
      items: rows.map(({ author, at, text }) => ({ from: author, at, text })),
      through: rows.at(-1)?.seq ?? 0,
    };
  }

  forget(through: number): void {
    this.#sql.exec('DELETE FROM inbound_notes WHERE seq <= ?', through);
  }

  get isEmpty(): boolean {
    this.#isKnownEmpty ||= this.#sql.exec('SELECT 1 FROM inbound_notes LIMIT 1').toArray().length === 0;
    return this.#isKnownEmpty;
  }
}
