import type { Progress } from '../progress.ts';
import type { RecipientRows } from '../recipients/recipient-rows.ts';

/** So often it is looked whether what was sent has arrived, and so long it has for that. */
const lookEveryMs = 60_000;
const arrivesWithinMs = 10 * 60_000;
/** So many at least, and the share of them that has to arrive. */
const sentMin = 50;
const arrivedShareMin = 0.5;

/** The network does not tell who has blocked a number: what is sent to them never arrives. */
export class ArrivalWatch {
  readonly #rows: RecipientRows;
  #lookedAt = 0;
  /** The last look has found too little. One alone may only have come before the receipts. */
  #isSuspicious = false;

  constructor(rows: RecipientRows) {
    this.#rows = rows;
  }

  /** Too little of what had time to arrive has arrived, at two looks in a row. */
  seesBlocks({ startedAt, resumedAt }: Pick<Progress, 'startedAt' | 'resumedAt'>, now: number): boolean {
    if (now < this.#lookedAt + lookEveryMs) return false;
    this.#lookedAt = now;
    const { sent, arrived } = this.#rows.arrivals(resumedAt ?? startedAt ?? 0, now - arrivesWithinMs);
    const wasSuspicious = this.#isSuspicious;
    this.#isSuspicious = sent >= sentMin && arrived < sent * arrivedShareMin;
    return wasSuspicious && this.#isSuspicious;
  }
}
