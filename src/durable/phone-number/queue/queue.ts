import { isAction } from '../../../contract/messages/actions.ts';
import { laneOf, sendLanes } from '../../../contract/messages/message.ts';
import { earliest } from '../../due-times.ts';
import type { AcceptedMessage } from '../../hand-over/message-batch.ts';
import { providerMessageIdOf } from '../../new-ids.ts';
import { Tables } from '../../storage/rows.ts';

/** A message in the number's queue. */
export interface QueuedMessage extends AcceptedMessage {
  /** The network's id, fixed before the first hand-over. */
  providerMessageId: string;
  /** The bridge that was given it last; null: it certainly never left. */
  handedTo: string | null;
  /** When that was; milliseconds since 1970. */
  handedAt: number | null;
  /** Other bridges were given it before that one, and may have sent it. */
  isAtOthers: boolean;
  /** How often it was handed to a bridge: an outcome repeats the number of its hand-over. */
  handOver: number;
}

/** A message as it came from the account. */
export function acceptedOf(message: QueuedMessage): AcceptedMessage {
  const { providerMessageId, handedTo, handedAt, isAtOthers, handOver, ...accepted } = message;
  return accepted;
}

/**
 * Who may have sent it before this bridge gets it. The bridge that got it last may never have received it. So as long as an
 * earlier bridge is in doubt, it counts as `another`.
 */
export function handedAsSeenBy(bridgeId: string, message: QueuedMessage): 'you' | 'another' | null {
  if (message.handedTo === null) return null;
  return message.handedTo === bridgeId && !message.isAtOthers ? 'you' : 'another';
}

/** What a person answers leaves first; within a lane it is the age that counts. */
function byTurn(a: QueuedMessage, b: QueuedMessage): number {
  const lanes = sendLanes.indexOf(laneOf(a.origin)) - sendLanes.indexOf(laneOf(b.origin));
  if (lanes !== 0) return lanes;
  return a.messageId < b.messageId ? -1 : 1;
}

type Row = {
  message_id: string;
  message: string;
  handed_to: string | null;
  handed_at: number | null;
  at_others: number;
  hand_over: number;
};

/**
 * The messages that the number has taken, by lane and oldest first, until the log knows the outcome of each. There are few,
 * since the backlog is in the account, so all are in memory too.
 */
export class Queue extends Tables {
  /** In order. */
  #messages: QueuedMessage[] = [];
  readonly #byProviderId = new Map<string, QueuedMessage>();
  /** Those that were added in the present transaction and have no row yet. */
  readonly #unstored = new Set<QueuedMessage>();

  constructor(sql: SqlStorage) {
    super(sql);
    this.reload();
  }

  /** After a transaction that was rolled back, and at the beginning of a life. */
  reload(): void {
    this.#messages = this.queryAll<Row>('SELECT * FROM queue ORDER BY message_id').map((row) => ({
      ...(JSON.parse(row.message) as AcceptedMessage),
      providerMessageId: providerMessageIdOf(row.message_id),
      handedTo: row.handed_to,
      handedAt: row.handed_at,
      isAtOthers: row.at_others === 1,
      handOver: row.hand_over,
    }));
    this.#messages.sort(byTurn);
    this.#unstored.clear();
    this.#byProviderId.clear();
    for (const message of this.#messages) this.#byProviderId.set(message.providerMessageId, message);
  }

  /** In the order of their turns. */
  get all(): readonly QueuedMessage[] {
    return this.#messages;
  }

  /** Those that certainly never left, in the order of their turns. */
  get unhanded(): QueuedMessage[] {
    return this.#messages.filter(({ handedTo }) => handedTo === null);
  }

  find(messageId: string): QueuedMessage | null {
    return this.findByProviderId(providerMessageIdOf(messageId));
  }

  findByProviderId(providerMessageId: string): QueuedMessage | null {
    return this.#byProviderId.get(providerMessageId) ?? null;
  }

  /**
   * Call inside a transaction in which {@link storeAdded} follows, after their immediate outcomes. So a message that leaves at
   * once is written only once. An existing message stays as it is.
   */
  add(messages: readonly AcceptedMessage[]): void {
    for (const message of messages) {
      if (this.find(message.messageId) !== null) continue;
      if (message.isAnswer && !isAction(message.content)) this.#noteWritten(message.to);
      const queued: QueuedMessage = {
        ...message,
        providerMessageId: providerMessageIdOf(message.messageId),
        handedTo: null,
        handedAt: null,
        isAtOthers: false,
        handOver: 0,
      };
      this.#unstored.add(queued);
      this.#insert(queued);
    }
  }

  /** Stores what was added, as it stands now. */
  storeAdded(): void {
    for (const message of this.#unstored) {
      const { messageId, handedTo, handedAt, handOver } = message;
      this.sql.exec(
        'INSERT INTO queue (message_id, message, handed_to, handed_at, hand_over) VALUES (?, ?, ?, ?, ?)',
        ...[messageId, JSON.stringify(acceptedOf(message)), handedTo, handedAt, handOver],
      );
    }
    this.#unstored.clear();
  }

  /** Whether the message is to be taken back, and the log does not know what came of it. */
  hasDeletionOf(targetId: string): boolean {
    return this.#messages.some(({ content }) => content.type === 'delete' && content.targetId === targetId);
  }

  /** To whom messages are addressed that another bridge than this was given, and may have sent. */
  recipientsAtOthers(bridgeId: string): string[] {
    const others = this.#messages.filter((message) => handedAsSeenBy(bridgeId, message) === 'another');
    return [...new Set(others.map(({ to }) => to))];
  }

  /** Notes that a bridge is about to be given it. Call inside a transaction. */
  noteHandOver(message: QueuedMessage, handedTo: string, handedAt: number): void {
    const isAtOthers = handedAsSeenBy(handedTo, message) === 'another';
    Object.assign(message, { handedTo, handedAt, isAtOthers, handOver: message.handOver + 1 });
    this.#write(message);
  }

  /** It came back and certainly never left. Call inside a transaction. */
  noteReturned(message: QueuedMessage): void {
    Object.assign(message, { handedTo: null, handedAt: null, isAtOthers: false });
    this.#write(message);
  }

  /** Somebody else has it now. Call inside a transaction. */
  remove(message: QueuedMessage): void {
    this.sql.exec('DELETE FROM queue WHERE message_id = ?', message.messageId);
    this.#messages = this.#messages.filter((other) => other !== message);
    this.#byProviderId.delete(message.providerMessageId);
  }

  /** When the last of them was handed to a bridge; 0: none was. */
  get lastHandedAt(): number {
    return Math.max(0, ...this.#messages.map(({ handedAt }) => handedAt ?? 0));
  }

  /** When the first message is over its time; null when there is none. */
  firstExpiry(): number | null {
    return earliest(this.#messages.map(({ expiresAt }) => expiresAt));
  }

  /** The account says that they have written: what waits for them from before answers them, too, and begins no chat. */
  #noteWritten(to: string): void {
    for (const message of this.unhanded) {
      if (message.to !== to || message.isAnswer === true) continue;
      Object.assign(message, { isAnswer: true, isNewChat: false });
      const json = JSON.stringify(acceptedOf(message));
      this.sql.exec('UPDATE queue SET message = ? WHERE message_id = ?', json, message.messageId);
    }
  }

  #insert(message: QueuedMessage): void {
    this.#byProviderId.set(message.providerMessageId, message);
    const last = this.#messages.at(-1);
    this.#messages.push(message);
    if (last && byTurn(last, message) > 0) this.#messages.sort(byTurn);
  }

  #write(message: QueuedMessage): void {
    if (this.#unstored.has(message)) return;
    const { messageId, handedTo, handedAt, isAtOthers, handOver } = message;
    this.sql.exec(
      'UPDATE queue SET handed_to = ?, handed_at = ?, at_others = ?, hand_over = ? WHERE message_id = ?',
      ...[handedTo, handedAt, Number(isAtOthers), handOver, messageId],
    );
  }
}
