import type { Pacing } from '../../contract/sender-settings.ts';
import type { MessageEvents } from './message-events.ts';
import type { MessageKey } from './message-rows.ts';
import { freshPace, type Pace, paceAfter, paceAt, paceBefore, paceUnder, unpaced } from './pacing.ts';
import type { SenderState } from './sender-state.ts';

/** The pace as it is stored: the highest turn is the pace as it is. */
interface StoredPace extends Pace {
  turn?: number;
}

/** The pace after a hand-over, to be stored in the row of a message that is handed over. */
export interface PaceNote {
  turn: number;
  json: string;
}

/** The message in whose row the pace stands, and that pace. */
export interface HeldPace {
  key: MessageKey;
  json: string;
}

/**
 * How fast the number may speak, and how much it has said: both as stored, so that no eviction begins them anew. A
 * hand-over writes the row of its message anyway, so the pace stands there, as long as that row is among those that a
 * later life looks at (`MessageEvents`); elsewhere it is a row of its own.
 */
export class SenderPace {
  readonly #state: SenderState;
  readonly #events: MessageEvents;
  #pacing: Pacing = unpaced;
  #pace: Pace = freshPace;
  #turn = 0;
  /** Whose row has the pace as it is; null: it is a row of its own. */
  #heldIn: MessageKey | null = null;

  constructor(state: SenderState, events: MessageEvents) {
    this.#state = state;
    this.#events = events;
    this.reload();
  }

  get pacing(): Pacing {
    return this.#pacing;
  }

  configure(pacing: Pacing, now: number): void {
    this.#keep(paceUnder(this.#pace, this.#pacing, pacing, now));
    this.#pacing = pacing;
    this.#state.put('pacing', pacing);
  }

  /** As of now; a wait that a clock going back had stretched is shortened for good. */
  at(now: number): Pace {
    const pace = paceAt(this.#pace, this.#pacing, now);
    if (pace.nextAt !== this.#pace.nextAt) this.#keep(pace);
    return pace;
  }

  /**
   * Messages that leave together; `counted` of them had never left before. Call inside the transaction, and store what
   * comes back in the row of `message`, one of them; null: it is stored already.
   */
  noteLeaving(message: MessageKey, counted: number, now: number): PaceNote | null {
    const pace = paceAfter(this.at(now), this.#pacing, now, counted, Math.random());
    if (!this.#events.mayRide(message)) {
      this.#keep(pace);
      return null;
    }
    this.#pace = pace;
    this.#turn += 1;
    const { queuedAt, providerMessageId } = message;
    this.#heldIn = { queuedAt, providerMessageId };
    return { turn: this.#turn, json: this.#json() };
  }

  /** Before a message of this time is stored: where the row that has the pace falls behind, it gets one of its own. */
  secure(queuedAt: number): void {
    if (this.#heldIn && this.#events.fallsBehind(this.#heldIn, queuedAt)) {
      this.#state.put('pace', JSON.parse(this.#json()));
    }
  }

  /** A message that left at `handedAt` has come back and never left. */
  noteReturned(handedAt: number): void {
    // Also where it is the same: the row that has it may go on to another number.
    this.#keep(paceBefore(this.#pace, this.#pacing, handedAt));
  }

  /** After a transaction that was rolled back. */
  reload(): void {
    this.#pacing = this.#state.get<Pacing>('pacing') ?? unpaced;
    const own: StoredPace = this.#state.get<StoredPace>('pace') ?? freshPace;
    const held = this.#events.newestPace();
    const ridden: StoredPace | null = held && JSON.parse(held.json);
    const isRidden = (ridden?.turn ?? 0) > (own.turn ?? 0);
    const { turn = 0, ...pace } = isRidden && ridden ? ridden : own;
    this.#heldIn = isRidden && held ? held.key : null;
    this.#turn = turn;
    this.#pace = pace;
  }

  #json(): string {
    return JSON.stringify({ ...this.#pace, turn: this.#turn } satisfies StoredPace);
  }

  #keep(pace: Pace): void {
    this.#pace = pace;
    this.#turn += 1;
    this.#heldIn = null;
    this.#state.put('pace', JSON.parse(this.#json()));
  }
}
