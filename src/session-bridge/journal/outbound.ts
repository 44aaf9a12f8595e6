import type { SendOutcome } from '../../contract/bridge-frames.ts';
import type { JournalDatabase } from './database.ts';

/**
 * `accepted`: taken over, certainly not on the network. `handing`: may be on the network. `resolved`: its outcome is
 * known. `seen`: the network has it, though it was handed over by another bridge or before this journal began.
 */
export type OutboundState = 'accepted' | 'handing' | 'resolved' | 'seen';

export interface OutboundRow {
  state: OutboundState;
  messageId: string | null;
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
      `SELECT state, message_id AS messageId, recipient, outcome FROM outbound
       WHERE number_id = ? AND provider_message_id = ?`,
      numberId,
      providerMessageId,
    );
    return row ? { ...row, outcome: row.outcome ? (JSON.parse(row.outcome) as SendOutcome) : null } : null;
  }

  accept(numberId: string, providerMessageId: string, messageId: string, recipient: string): void {
    this.#db.run(
      `INSERT INTO outbound VALUES (?, ?, ?, ?, 'accepted', NULL, ?)
       ON CONFLICT DO UPDATE SET message_id = excluded.message_id, recipient = excluded.recipient`,
      numberId,
      providerMessageId,
      messageId,
      recipient,
      Date.now(),
    );
  }

  setHanding(numberId: string, providerMessageId: string): void {
    this.#setState(numberId, providerMessageId, 'handing', null);
  }

  setResolved(numberId: string, providerMessageId: string, outcome: SendOutcome): void {
    this.#setState(numberId, providerMessageId, 'resolved', JSON.stringify(outcome));
  }

  /** Records proof that the network has a message that this journal does not know. */
  addSeen(numberId: string, providerMessageId: string): void {
    this.#db.run(
      "INSERT INTO outbound VALUES (?, ?, NULL, NULL, 'seen', NULL, ?) ON CONFLICT DO NOTHING",
      numberId,
      providerMessageId,
      Date.now(),
    );
  }

  remove(numberId: string, providerMessageId: string): void {
    this.#db.run(
      'DELETE FROM outbound WHERE number_id = ? AND provider_message_id = ?',
      numberId,
      providerMessageId,
    );
  }

  /** Drops what was settled before `settledBeforeMs` and what nobody asked for again since `staleBeforeMs`. */
  prune(settledBeforeMs: number, staleBeforeMs: number): void {
    // An outcome that the edge has not stored yet still stands as a fact; its row must outlive it.
    this.#db.run(
      `DELETE FROM outbound WHERE (state = 'resolved' AND updated_at < ?) AND number_id NOT IN
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
