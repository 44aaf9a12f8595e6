import { hourMs } from '../../../contract/times.ts';
import { SweptTable } from '../../storage/housekeeping.ts';
import type { Aliases } from './aliases.ts';

/** An outbound message writes a row only when the last one that did is older than that part of `stickyHours`, or a day. */
const grainPart = 1 / 24;
/** After that long without a message a conversation counts as none. */
const conversationKeptMs = 90 * 24 * hourMs;

/** What passed between a recipient and one of the account's numbers. Milliseconds since 1970. */
export interface Conversation {
  lastAt: number;
  /** When the recipient last wrote; null: never. */
  wroteAt: number | null;
}

/** Which of the account's numbers a recipient talks with: rows under the one address that {@link Aliases.personOf} has. */
export class Conversations extends SweptTable {
  readonly #aliases: Aliases;

  constructor(sql: SqlStorage, aliases: Aliases) {
    super(sql, {
      table: 'conversations',
      key: 'recipient',
      isOver: 'last_at < ?1',
      keptMs: conversationKeptMs,
    });
    this.#aliases = aliases;
  }

  /** Of one recipient, by number. */
  of(recipient: string): Map<string, Conversation> {
    const rows = this.sql.exec<{ number_id: string; last_at: number; wrote_at: number | null }>(
      'SELECT number_id, last_at, wrote_at FROM conversations WHERE recipient = ?',
      this.#aliases.personOf(recipient),
    );
    return new Map(
      [...rows].map((row) => [row.number_id, { lastAt: row.last_at, wroteAt: row.wrote_at }] as const),
    );
  }

  /**
   * A message to the recipient was given to the number; `known`: what {@link of} has returned. It is stored if another number
   * takes over the conversation, and otherwise only now and then. That saves a row for each message; in return, stickiness may
   * end early by a 24th of its time.
   */
  noteOutbound(
    recipient: string,
    numberId: string,
    at: number,
    stickyHours: number,
    known: ReadonlyMap<string, Conversation>,
  ): void {
    const own = known.get(numberId);
    const grainMs = (stickyHours === 0 ? 24 : stickyHours) * hourMs * grainPart;
    const isLatest = own && [...known.values()].every(({ lastAt }) => lastAt <= own.lastAt);
    if (isLatest && at - own.lastAt < grainMs) return;
    this.sql.exec(
      `INSERT INTO conversations (recipient, number_id, last_at) VALUES (?1, ?2, ?3)
         ON CONFLICT DO UPDATE SET last_at = excluded.last_at WHERE last_at < excluded.last_at`,
      this.#aliases.personOf(recipient),
      numberId,
      at,
    );
  }

  /** The recipient wrote to the number. Repeats, and what is told late, change nothing that is newer. */
  noteInbound(recipient: string, numberId: string, at: number): void {
    this.sql.exec(
      `INSERT INTO conversations (recipient, number_id, last_at, wrote_at) VALUES (?1, ?2, ?3, ?3)
         ON CONFLICT DO UPDATE SET last_at = max(last_at, excluded.last_at), wrote_at = excluded.wrote_at
         WHERE coalesce(wrote_at, 0) < excluded.wrote_at`,
      this.#aliases.personOf(recipient),
      numberId,
      at,
    );
  }

  /** Two addresses are one person: what passed with one has passed with the other. A row a number. */
  move(from: string, to: string): void {
    this.copy(from, to);
    this.forget(from);
  }

  /** Who had one address has two now, and nobody can say which of them it passed with. */
  copy(from: string, to: string): void {
    this.sql.exec(
      `INSERT INTO conversations (recipient, number_id, last_at, wrote_at)
         SELECT ?2, number_id, last_at, wrote_at FROM conversations WHERE recipient = ?1
         ON CONFLICT DO UPDATE SET last_at = max(last_at, excluded.last_at),
           wrote_at = nullif(max(coalesce(wrote_at, 0), coalesce(excluded.wrote_at, 0)), 0)
         WHERE last_at < excluded.last_at OR coalesce(wrote_at, 0) < coalesce(excluded.wrote_at, 0)`,
      from,
      to,
    );
  }

  /** To which numbers the recipient has written, the last one first, at most `limit`. */
  lastWritten(recipient: string, limit: number): { numberId: string; at: number }[] {
    return this.queryAll<{ numberId: string; at: number }>(
      `SELECT number_id AS numberId, wrote_at AS at FROM conversations
         WHERE recipient = ? AND wrote_at IS NOT NULL ORDER BY wrote_at DESC LIMIT ?`,
      recipient,
      limit,
    );
  }

  forget(recipient: string): void {
    this.sql.exec('DELETE FROM conversations WHERE recipient = ?', recipient);
  }
}
