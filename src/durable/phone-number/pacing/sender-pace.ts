import type { Pacing } from '../../../contract/numbers/sender-settings.ts';
import { SweptTable } from '../../storage/housekeeping.ts';
import type { NumberState } from '../number-state.ts';
import { freshPace, type Pace, paceAfter, paceAt, paceBefore, paceUnder, unpaced } from './pacing.ts';

/** How fast the number may speak, and how much it has said: both as stored, so that no eviction begins them anew. */
export class SenderPace {
  readonly #state: NumberState;
  #pacing: Pacing = unpaced;
  #pace: Pace = freshPace;

  constructor(state: NumberState) {
    this.#state = state;
    this.reload();
  }

  get pacing(): Pacing {
    return this.#pacing;
  }

  /** False: it is older than what is known. */
  configure(pacing: Pacing, revision: number, now: number): boolean {
    if (revision < (this.#state.get<number>('pacingRevision') ?? 0)) return false;
    this.#keep(paceUnder(this.#pace, this.#pacing, pacing, now));
    this.#pacing = pacing;
    this.#state.put('pacing', pacing);
    this.#state.put('pacingRevision', revision);
    return true;
  }

  /** As of now; a wait that a clock going back had stretched is shortened for good. */
  at(now: number): Pace {
    const pace = paceAt(this.#pace, this.#pacing, now);
    if (pace.nextAt !== this.#pace.nextAt) this.#keep(pace);
    return pace;
  }

  /** Messages leave together; `counted` of them had not left before. Call inside the transaction that says so. */
  noteLeaving(counted: number, now: number): void {
    this.#keep(paceAfter(this.at(now), this.#pacing, now, counted, Math.random()));
  }

  /** A message that left at `handedAt` has come back and never left. */
  noteReturned(handedAt: number): void {
    this.#keep(paceBefore(this.#pace, this.#pacing, handedAt));
  }

  /** After a transaction that was rolled back, and at the beginning of a life. */
  reload(): void {
    this.#pacing = this.#state.get<Pacing>('pacing') ?? unpaced;
    this.#pace = this.#state.get<Pace>('pace') ?? freshPace;
  }

  #keep(pace: Pace): void {
    this.#pace = pace;
    this.#state.put('pace', pace);
  }
}

/** The longest pause is a day. */
const keptMs = 2 * 24 * 3600 * 1000;

/** When each recipient was last written to, where the number keeps a distance between two messages to the same one. */
export class RecipientPauses extends SweptTable {
  constructor(sql: SqlStorage) {
    super(sql, {
      table: 'chats',
      key: 'recipient',
      // Earlier versions have kept there when somebody last wrote, too.
      isOver: 'max(coalesce(last_out_at, 0), coalesce(last_in_at, 0)) < ?1',
      keptMs,
    });
  }

  /** Null: never. A time that lies in the future, since the clock went back, is taken for now, once and for all. */
  lastOutAt(recipient: string, now: number): number | null {
    const at = this.queryValue<number>('SELECT last_out_at FROM chats WHERE recipient = ?', recipient);
    if (at === null || at <= now) return at;
    this.noteOut(recipient, now);
    return now;
  }

  noteOut(recipient: string, at: number): void {
    this.sql.exec(
      `INSERT INTO chats (recipient, last_out_at) VALUES (?, ?)
         ON CONFLICT DO UPDATE SET last_out_at = excluded.last_out_at`,
      recipient,
      at,
    );
  }

  /** They were erased. */
  forget(recipient: string): void {
    this.sql.exec('DELETE FROM chats WHERE recipient = ?', recipient);
  }
}
