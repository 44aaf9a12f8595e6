import type { Progress } from '../progress.ts';
import type { RecipientRows } from '../recipients/recipient-rows.ts';

/** So often it is looked whether what was sent has arrived, at most. */
const lookEveryMsMax = 60_000;
/** So many at least, and the share of them that has to arrive. */
const sentMin = 50;
const arrivedShareMin = 0.5;

/** The network does not tell who has blocked a number: what is sent to them never arrives. */
export class ArrivalWatch {
  readonly #rows: RecipientRows;
  /** So long a message has for its way. */
  readonly #arrivesWithinMs: number;
  #lookedAt = 0;
  /** The last look has found too little. One alone may only have come before the receipts. */
  #isSuspicious = false;

  constructor(rows: RecipientRows, arrivesWithinMs: number) {
    this.#rows = rows;
    this.#arrivesWithinMs = arrivesWithinMs;
  }

  /** Too little of what had time to arrive has arrived, at two looks in a row. */
  seesBlocks({ startedAt, resumedAt }: Pick<Progress, 'startedAt' | 'resumedAt'>, now: number): boolean {
    const everyMs = Math.min(lookEveryMsMax, this.#arrivesWithinMs / 10);
    if (now < this.#lookedAt + everyMs) return false;
    this.#lookedAt = now;
    const { sent, arrived } = this.#rows.arrivals(resumedAt ?? startedAt ?? 0, now - this.#arrivesWithinMs);
    const wasSuspicious = this.#isSuspicious;
    this.#isSuspicious = sent >= sentMin && arrived < sent * arrivedShareMin;
    return wasSuspicious && this.#isSuspicious;
  }
}
