import type { AcceptedMessage } from '../../hand-over/message-batch.ts';
import { wroteLately } from '../senders/candidate.ts';
import type { Sender } from '../senders/sender.ts';

/**
 * What a message is to its recipient: the 'answer' to somebody who wrote within a day, the next one in an 'ongoing' chat,
 * or the first of a 'new' one. A number whose day is full still sends answers, one that is restricted no new chats. As
 * it was when the message was accepted, or last moved.
 */
export const messageKinds = ['answer', 'ongoing', 'new'] as const;
export type MessageKind = (typeof messageKinds)[number];

/** `wroteAt`: when the recipient last wrote to the number; null: never. */
export function kindOf({ isNewChat }: AcceptedMessage, wroteAt: number | null, now: number): MessageKind {
  if (wroteLately(wroteAt, now)) return 'answer';
  return isNewChat ? 'new' : 'ongoing';
}

/** The kinds as a list in SQL. */
const anyKind = messageKinds.map((kind) => `'${kind}'`).join(', ');
/** So many messages ahead are counted; more are as good as that many. */
const aheadMax = 10_000;

type Row = { message: string };
const messageOf = ({ message }: Row): AcceptedMessage => JSON.parse(message);

/** Accepted messages until their number has taken them. Who changes a number's part saves the number as well. */
export class Backlog {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  add(sender: Sender, message: AcceptedMessage, kind: MessageKind): void {
    const { messageId, mayMove, expiresAt } = message;
    this.#sql.exec(
      'INSERT INTO accepted (number_id, kind, message_id, may_move, expires_at, message) VALUES (?, ?, ?, ?, ?, ?)',
      sender.numberId,
      kind,
      messageId,
      mayMove ? 1 : 0,
      expiresAt,
      JSON.stringify(message),
    );
    sender.backlog += 1;
    sender.expiresAt = Math.min(sender.expiresAt ?? expiresAt, expiresAt);
  }

  remove(sender: Sender, messageIds: readonly string[]): void {
    for (const messageId of messageIds) {
      const { rowsWritten } = this.#sql.exec(
        `DELETE FROM accepted WHERE number_id = ? AND kind IN (${anyKind}) AND message_id = ?`,
        sender.numberId,
        messageId,
      );
      if (rowsWritten > 0) sender.backlog -= 1;
    }
    if (sender.backlog === 0) sender.expiresAt = null;
  }

  /** The oldest messages of a kind, behind `after`; `movable`: only those that another number may send. */
  first(
    numberId: string,
    kind: MessageKind,
    limit: number,
    { after = '', movable = false }: { after?: string; movable?: boolean } = {},
  ): AcceptedMessage[] {
    return this.#sql
      .exec<Row>(
        `SELECT message FROM accepted WHERE number_id = ? AND kind = ? AND message_id > ? AND may_move >= ?
           ORDER BY message_id LIMIT ?`,
        numberId,
        kind,
        after,
        movable ? 1 : 0,
        limit,
      )
      .toArray()
      .map(messageOf);
  }

  find(numberId: string, messageId: string): AcceptedMessage | null {
    const row = this.#sql
      .exec<Row>(
        `SELECT message FROM accepted WHERE number_id = ? AND kind IN (${anyKind}) AND message_id = ?`,
        numberId,
        messageId,
      )
      .toArray()[0];
    return row ? messageOf(row) : null;
  }

  /** How many messages of a number are older. */
  ahead(numberId: string, messageId: string): number {
    const query = `SELECT count(*) AS n FROM (SELECT 1 FROM accepted
      WHERE number_id = ? AND kind IN (${anyKind}) AND message_id < ? LIMIT ${aheadMax})`;
    return this.#sql.exec<{ n: number }>(query, numberId, messageId).one().n;
  }
}
