import type { OutboundMessage, SendOutcome } from '../../contract/bridge/bridge-frames.ts';
import type { JournalDatabase } from './database.ts';

/**
 * `accepted`: taken over, certainly not on the network. `handing`: may be on the network. `resolved`: its outcome is known.
 * `returned`: this bridge does not send it under this hand-over or an earlier one, even if that is repeated late. `seen`: the
 * network has it, though another bridge handed it over, or it was handed over before this journal began.
 */
export type OutboundState = 'accepted' | 'handing' | 'resolved' | 'returned' | 'seen';

export interface OutboundRow {
  state: OutboundState;
  messageId: string | null;
  /** The newest hand-over that this bridge has taken. */
  handOver: number;
  /** How often it was handed to the network from here. */
  networkHandOvers: number;
  /** Digits of the recipient, or the group id. */
  recipient: string | null;
  outcome: SendOutcome | null;
}

/** Where each send stands, by the network's message id. */
export class OutboundJournal {
  readonly #db: JournalDatabase;

  constructor(db: JournalDatabase) {
    this.#db = db;
  }

  find(numberId: string, providerMessageId: string): OutboundRow | null {
    const row = this.#db.get<Omit<OutboundRow, 'outcome'> & { outcome: string | null }>(
      `SELECT state, message_id AS messageId, hand_over AS handOver, network_hand_overs AS networkHandOvers,
         recipient, outcome FROM outbound
       WHERE number_id = ? AND provider_message_id = ?`,
      numberId,
      providerMessageId,
    );
    return row ? { ...row, outcome: row.outcome ? (JSON.parse(row.outcome) as SendOutcome) : null } : null;
  }

  /** Takes a message over. A returned message starts again. */
  accept(
    numberId: string,
    message: Pick<OutboundMessage, 'providerMessageId' | 'messageId' | 'to' | 'handOver'>,
  ) {
    this.#db.run(
      `INSERT INTO outbound (number_id, provider_message_id, message_id, recipient, hand_over, state, updated_at)
       VALUES (?, ?, ?, ?, ?, 'accepted', ?)
       ON CONFLICT DO UPDATE SET
         message_id = excluded.message_id, recipient = excluded.recipient, hand_over = excluded.hand_over,
         updated_at = excluded.updated_at,
         network_hand_overs = CASE state WHEN 'returned' THEN 0 ELSE network_hand_overs END,
         state = CASE state WHEN 'returned' THEN 'accepted' ELSE state END`,
      numberId,
      message.providerMessageId,
      message.messageId,
      message.to,
      message.handOver,
      Date.now(),
    );
  }

  /** A message that is held here was handed over once more. */
  setHandOver(numberId: string, providerMessageId: string, handOver: number): void {
    this.#db.run(
      'UPDATE outbound SET hand_over = ? WHERE number_id = ? AND provider_message_id = ?',
      handOver,
      numberId,
      providerMessageId,
    );
  }

  /** It may be on the network, handed to it that many times more from here. */
  setHanding(numberId: string, providerMessageId: string, times: 0 | 1): void {
    this.#db.run(
      `UPDATE outbound SET state = 'handing', network_hand_overs = network_hand_overs + ?, updated_at = ?
       WHERE number_id = ? AND provider_message_id = ?`,
      times,
      Date.now(),
      numberId,
      providerMessageId,
    );
  }

  setResolved(numberId: string, providerMessageId: string, outcome: SendOutcome): void {
    this.#setState(numberId, providerMessageId, 'resolved', JSON.stringify(outcome));
  }

  setReturned(numberId: string, providerMessageId: string): void {
    this.#setState(numberId, providerMessageId, 'returned', null);
  }

  /** Records proof that the network has a message that this journal does not know. */
  addSeen(numberId: string, providerMessageId: string): void {
    this.#db.run(
      `INSERT INTO outbound (number_id, provider_message_id, state, updated_at) VALUES (?, ?, 'seen', ?)
       ON CONFLICT DO UPDATE SET state = 'seen' WHERE state = 'returned'`,
      numberId,
      providerMessageId,
      Date.now(),
    );
  }

  /** Drops what was settled before `settledBeforeMs` and what nobody asked for again since `staleBeforeMs`. */
  prune(settledBeforeMs: number, staleBeforeMs: number): void {
    // An outcome that the edge has not stored yet still stands as a fact; its row must outlive it.
    this.#db.run(
      `DELETE FROM outbound WHERE (state IN ('resolved', 'returned') AND updated_at < ?) AND number_id NOT IN
       (SELECT DISTINCT number_id FROM facts WHERE kind = 'send.outcomes')`,
      settledBeforeMs,
    );
    this.#db.run('DELETE FROM outbound WHERE updated_at < ?', staleBeforeMs);
  }

  #setState(numberId: string, providerMessageId: string, state: OutboundState, outcome: string | null): void {
    this.#db.run(
      'UPDATE outbound SET state = ?, outcome = ?, updated_at = ? WHERE number_id = ? AND provider_message_id = ?',
      state,
      outcome,
      Date.now(),
      numberId,
      providerMessageId,
    );
  }
}
