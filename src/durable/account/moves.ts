import { messageSweep, type TableSweep } from '../table-sweep.ts';

/** How long it is known where a message went: it waits for its turn a day at most. */
const keptMs = 62 * 24 * 3600 * 1000;

/** The last move of a message from one number to another. */
export interface Move {
  /** 1 for the first. */
  move: number;
  from: string;
  to: string;
  /** False as long as nobody knows whether it arrived. */
  settled: boolean;
}

/** What there is to do when a number asks to be rid of a message. */
export type NextMove =
  /** That has been done before: the message is not the number's any more. */
  | { kind: 'done' }
  /** It was given to this number before, and nobody knows whether it arrived: give it again. */
  | { kind: 'again'; to: string }
  /** Another number is to be chosen. */
  | { kind: 'choose' };

/** What the `move`th move of a message still asks for, by the last one that is stored. */
export function nextMove(stored: Move | null, move: number): NextMove {
  if (stored === null || stored.move < move) return { kind: 'choose' };
  return stored.move === move && !stored.settled ? { kind: 'again', to: stored.to } : { kind: 'done' };
}

/** Messages that have left the number that they were first given to. */
export class Moves {
  readonly #sql: SqlStorage;
  readonly #sweep: TableSweep;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#sweep = messageSweep(sql, 'moves', keptMs);
  }

  last(messageId: string): Move | null {
    const row = this.#sql
      .exec<{ move: number; from_number: string; to_number: string; settled: number }>(
        'SELECT move, from_number, to_number, settled FROM moves WHERE message_id = ?',
        messageId,
      )
      .toArray()[0];
    if (!row) return null;
    return { move: row.move, from: row.from_number, to: row.to_number, settled: row.settled === 1 };
  }

  /** The number that has a message that has moved, or null. */
  holder(messageId: string): string | null {
    const last = this.last(messageId);
    if (last === null) return null;
    return last.settled ? last.to : last.from;
  }

  store(messageId: string, { move, from, to, settled }: Move): void {
    this.#sql.exec(
      'INSERT OR REPLACE INTO moves (message_id, move, from_number, to_number, settled) VALUES (?, ?, ?, ?, ?)',
      messageId,
      move,
      from,
      to,
      settled ? 1 : 0,
    );
  }

  /** The number that was chosen did not take the message: it stays, and the same move may go elsewhere. */
  undo(messageId: string, { move, from }: Move): void {
    if (move > 1) this.store(messageId, { move: move - 1, from, to: from, settled: true });
    else this.#sql.exec('DELETE FROM moves WHERE message_id = ?', messageId);
  }

  sweep(now: number): boolean {
    return this.#sweep.sweep(now);
  }
}
