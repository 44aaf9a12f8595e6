/** What a sender may still send decides its share: counted over the next hour, so that a day's limit is felt before it is hit. */
const horizonMinutes = 60;
/** A sender that pins and open conversations use much is passed over for that many turns at most. */
const debtTurnsMax = 100;

/** Messages that a sender may send in the next hour; 0 when it has to wait. */
export function weightOf(sender: { dailyRemaining: number | null; perMinute: number }): number {
  const { dailyRemaining, perMinute } = sender;
  return Math.max(0, Math.min(perMinute * horizonMinutes, dailyRemaining ?? Number.POSITIVE_INFINITY));
}

/** A sender's place in the rotation: where its last turn began, and where it ended. */
export interface Turn {
  start: number;
  end: number;
}

/**
 * Stride scheduling. Each turn of a sender lasts 1 / its weight; the sender whose last turn ended first is next. So equal
 * senders take turns, the least recently used first, and others according to their weights. A sender that comes back starts at
 * the current position of the rotation, so it has nothing to catch up on.
 */
export class Rotation {
  /** Where the rotation is: the start of the latest turn that it gave. */
  #now = 0;

  constructor(turns: Iterable<Turn> = []) {
    for (const turn of turns) this.note(turn);
  }

  /** The end of a sender's last turn as the rotation counts it: the lowest goes first. */
  place(turn: Turn, weight: number): number {
    return Math.min(turn.end, this.#now + debtTurnsMax * strideOf(weight));
  }

  /** The sender's turn if it gets a message now. `rotated`: because it was next, and not for a pin or a conversation. */
  next(turn: Turn, weight: number, rotated: boolean): Turn {
    const begins = Math.max(this.#now, this.place(turn, weight));
    return { start: rotated ? begins : this.#now, end: begins + strideOf(weight) };
  }

  /** A sender has taken its turn. */
  note(turn: Turn): void {
    this.#now = Math.max(this.#now, turn.start);
  }
}

function strideOf(weight: number): number {
  return 1 / Math.max(1, weight);
}
