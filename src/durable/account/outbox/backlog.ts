import { isAction } from '../../../contract/messages/actions.ts';
import { laneOf, type SendLane, sendLanes } from '../../../contract/messages/message.ts';
import type { AcceptedMessage } from '../../hand-over/message-batch.ts';
import { Tables } from '../../storage/rows.ts';
import { kindOf, type MessageKind, messageKinds, type Sender } from '../senders/sender.ts';

/** A kind as it is stored in the table: with its lane before it, except for messages of API keys. */
const storedKind = (kind: MessageKind, lane: SendLane): string =>
  lane === 'server' ? kind : `${lane}.${kind}`;

/** The kinds as a list in SQL; and with those that wait for their `sendAt`, which are not the number's backlog yet. */
const kindsIn = (lanes: readonly SendLane[]): string =>
  messageKinds.flatMap((kind) => lanes.map((lane) => `'${storedKind(kind, lane)}'`)).join(', ');
const anyKind = kindsIn(sendLanes);
const anyKindOrLater = `${anyKind}, 'later'`;
/** Whether a message waits that begins a chat: lane by lane, since each lane has an index of these. */
const anyNew = `${sendLanes
  .map((lane) => storedKind('new', lane))
  .map((kind) => `SELECT 1 FROM accepted WHERE number_id = ?1 AND kind = '${kind}' AND recipient = ?2`)
  .join(' UNION ALL ')} LIMIT 1`;
/** As the index of them says it, literally: else it would not be used. */
const campaignKinds = "'campaign.answer', 'campaign.ongoing', 'campaign.new'";
/** In place of a time: the message waits for its file. */
const withFile = Number.MAX_SAFE_INTEGER;
/** How many messages ahead are counted; more are shown as this many. */
const aheadMax = 10_000;

/** As the index of deletions has them, literally: else it would not be used. */
const isDeletion = "not_before IS NOT NULL AND message ->> '$.content.type' = 'delete'";
const targetOfDeletion = "message ->> '$.content.targetId'";

const ongoingKinds = sendLanes.map((lane) => `'${storedKind('ongoing', lane)}'`).join(', ');

type Row = { message: string };
const messageOf = ({ message }: Row): AcceptedMessage => JSON.parse(message);
/** As its number is given it: with what was decided about it. */
const decidedOf = ({ message, kind }: Row & { kind: string }): AcceptedMessage => ({
  ...JSON.parse(message),
  isAnswer: kind.endsWith('answer'),
});

/** Accepted messages until their number has taken them. Who changes a number's part saves the number as well. */
export class Backlog extends Tables {
  /** Lanes of numbers in which nothing waits, as far as this life of the object has looked. */
  readonly #empty = new Set<string>();
  /** How many deletions have come in this life, for the first time or back from their number. */
  deletionsCome = 0;

  /** After a transaction that was rolled back. */
  reload(): void {
    this.#empty.clear();
  }

  /** Whether nothing waits in a lane of the number. Of what API keys send it is not remembered. */
  isEmpty(numberId: string, lane: SendLane): boolean {
    const key = `${lane} ${numberId}`;
    if (this.#empty.has(key)) return true;
    const query = `SELECT 1 FROM accepted WHERE number_id = ? AND kind IN (${kindsIn([lane])}) LIMIT 1`;
    const isEmpty = !this.queryAny(query, numberId);
    if (isEmpty) this.#empty.add(key);
    return isEmpty;
  }

  /**
   * `wroteAt`: when the recipient last wrote to the number; null: never. What is to be done to a message counts as an answer:
   * neither a full day nor a restriction on new chats holds it back.
   */
  add(sender: Sender, message: AcceptedMessage, wroteAt: number | null, now: number): void {
    const { expiresAt, to } = message;
    const kind = isAction(message.content) ? 'answer' : kindOf(message.isNewChat, wroteAt, now);
    // Behind the message that begins the chat: to the network this one is as new.
    const follows = kind === 'ongoing' && sender.backlog > 0 && this.#hasNew(sender.numberId, to);
    const lane = laneOf(message.origin);
    if (message.content.type === 'delete') this.deletionsCome += 1;
    this.#empty.delete(`${lane} ${sender.numberId}`);
    if (follows) this.#insert(sender.numberId, storedKind('new', lane), { ...message, isNewChat: true });
    else this.#insert(sender.numberId, storedKind(kind, lane), message);
    sender.backlog += 1;
    sender.expiresAt = Math.min(sender.expiresAt ?? expiresAt, expiresAt);
  }

  /** Keeps a message until `notBefore`, or until its file is there. The number has nothing to do with it before. */
  addLater(numberId: string, message: AcceptedMessage, notBefore = message.sendAt ?? 0): void {
    this.#insert(numberId, 'later', message, message.fileUrl === undefined ? notBefore : withFile);
  }

  /** The message, where it waits for its file; null where it does not, or not any more. */
  waitingForFile(messageId: string): { numberId: string; message: AcceptedMessage } | null {
    const row = this.queryFirst<Row & { number_id: string }>(
      "SELECT number_id, message FROM accepted WHERE kind = 'later' AND not_before = ? AND message_id = ?",
      withFile,
      messageId,
    );
    return row ? { numberId: row.number_id, message: messageOf(row) } : null;
  }

  removeLater(numberId: string, messageId: string): void {
    const which = "number_id = ? AND kind = 'later' AND message_id = ?";
    this.sql.exec(`DELETE FROM accepted WHERE ${which}`, numberId, messageId);
  }

  /** When the first `sendAt` comes; null when nothing waits for one. */
  nextSendAt(): number | null {
    const query = "SELECT min(not_before) FROM accepted WHERE kind = 'later' AND not_before < ?";
    return this.queryValue<number>(query, withFile);
  }

  /** Takes out messages whose `sendAt` has come, the first ones first. */
  takeLater(now: number, limit: number): { numberId: string; message: AcceptedMessage }[] {
    const rows = this.queryAll<Row & { number_id: string }>(
      `SELECT number_id, message FROM accepted WHERE kind = 'later' AND not_before <= ?
           ORDER BY not_before, message_id LIMIT ?`,
      now,
      limit,
    );
    const taken = rows.map((row) => ({ numberId: row.number_id, message: messageOf(row) }));
    for (const { numberId, message } of taken) this.removeLater(numberId, message.messageId);
    return taken;
  }

  /** The recipient has written to the number: what waits for them begins no chat any more, and answers them. */
  noteWritten(numberId: string, recipient: string, wroteAt: number, now: number): void {
    const kind = kindOf(false, wroteAt, now);
    for (const lane of sendLanes) {
      this.sql.exec(
        `UPDATE accepted SET kind = ?, message = json_set(message, '$.isNewChat', json('false'))
           WHERE number_id = ? AND kind = '${storedKind('new', lane)}' AND recipient = ?`,
        storedKind(kind, lane),
        numberId,
        recipient,
      );
    }
    if (kind !== 'answer') return;
    this.sql.exec(
      `UPDATE accepted SET kind = replace(kind, 'ongoing', 'answer')
         WHERE number_id = ? AND kind IN (${ongoingKinds}) AND recipient = ?`,
      numberId,
      recipient,
    );
  }

  /**
   * The message that was to begin the chat has come back from the number: to the network what waits behind it is as new, and does
   * not overtake it.
   */
  noteNotBegun({ numberId, backlog }: Sender, recipient: string): void {
    if (backlog === 0) return;
    for (const lane of sendLanes) {
      this.sql.exec(
        `UPDATE accepted SET kind = ?, message = json_set(message, '$.isNewChat', json('true'))
           WHERE number_id = ? AND kind = ? AND recipient = ?`,
        ...[storedKind('new', lane), numberId, storedKind('ongoing', lane), recipient],
      );
    }
  }

  remove(sender: Sender, messageIds: readonly string[]): void {
    for (const messageId of messageIds) {
      const { rowsWritten } = this.sql.exec(
        `DELETE FROM accepted WHERE number_id = ? AND kind IN (${anyKind}) AND message_id = ?`,
        sender.numberId,
        messageId,
      );
      if (rowsWritten > 0) sender.backlog -= 1;
    }
    if (sender.backlog === 0) sender.expiresAt = null;
  }

  /**
   * The oldest messages of a kind and lane, behind `after`. `movable`: only messages that another number may send. `inOrder`:
   * only messages that expire in the order of their arrival, which excludes those with a `sendAt`, and what is done to messages.
   */
  first(
    numberId: string,
    kind: MessageKind,
    lane: SendLane,
    limit: number,
    {
      after = '',
      movable = false,
      inOrder = false,
    }: { after?: string; movable?: boolean; inOrder?: boolean } = {},
  ): AcceptedMessage[] {
    return this.queryAll<Row & { kind: string }>(
      `SELECT kind, message FROM accepted WHERE number_id = ? AND kind = ? AND message_id > ? AND may_move >= ?
           ${inOrder ? 'AND not_before IS NULL' : ''}
           ORDER BY message_id LIMIT ?`,
      numberId,
      storedKind(kind, lane),
      after,
      movable ? 1 : 0,
      limit,
    ).map(decidedOf);
  }

  /** Of what expires in another order than it arrived, what expires first. */
  firstOver(numberId: string, limit: number): AcceptedMessage[] {
    return this.queryAll<Row>(
      `SELECT message FROM accepted WHERE number_id = ? AND not_before IS NOT NULL AND kind IN (${anyKind})
           ORDER BY expires_at LIMIT ?`,
      numberId,
      limit,
    ).map(messageOf);
  }

  find(numberId: string, messageId: string): AcceptedMessage | null {
    const row = this.queryFirst<Row & { kind: string }>(
      `SELECT kind, message FROM accepted WHERE number_id = ? AND kind IN (${anyKindOrLater}) AND message_id = ?`,
      numberId,
      messageId,
    );
    return row ? decidedOf(row) : null;
  }

  /** Whether the message is to be taken back: its deletion waits for its number. */
  hasDeletionOf(targetId: string): boolean {
    return this.queryAny(
      `SELECT 1 FROM accepted WHERE ${isDeletion} AND ${targetOfDeletion} = ? LIMIT 1`,
      targetId,
    );
  }

  /** The number that a message of a campaign waits for; null where none has it. */
  numberOfCampaign(messageId: string): string | null {
    const query = `SELECT number_id FROM accepted WHERE kind IN (${campaignKinds}) AND message_id = ?`;
    return this.queryValue<string>(query, messageId);
  }

  /** How many messages of a number leave before one of this lane: the older ones of the lane, and all of the lanes before it. */
  ahead(numberId: string, lane: SendLane, messageId: string): number {
    const before = kindsIn(sendLanes.slice(0, sendLanes.indexOf(lane)));
    const query = `SELECT count(*) AS n FROM (
      SELECT 1 FROM accepted WHERE number_id = ?1 AND kind IN (${before})
      UNION ALL SELECT 1 FROM accepted WHERE number_id = ?1 AND kind IN (${kindsIn([lane])}) AND message_id < ?2
      LIMIT ${aheadMax})`;
    return this.queryOne<{ n: number }>(query, numberId, messageId).n;
  }

  #insert(
    numberId: string,
    kind: string,
    message: AcceptedMessage,
    // With a time it counts as what expires in another order than it arrived: see `firstOver`.
    notBefore: number | null = message.sendAt ?? (isAction(message.content) ? message.queuedAt : null),
  ): void {
    const { messageId, to, mayMove, expiresAt } = message;
    this.sql.exec(
      `INSERT INTO accepted (number_id, kind, message_id, may_move, expires_at, message, recipient, not_before)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      numberId,
      kind,
      messageId,
      mayMove ? 1 : 0,
      expiresAt,
      JSON.stringify(message),
      to,
      notBefore,
    );
  }

  /** A message that begins a chat with the recipient waits for the number. */
  #hasNew(numberId: string, recipient: string): boolean {
    return this.queryAny(anyNew, numberId, recipient);
  }
}
