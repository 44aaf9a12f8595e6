import type { SenderReport } from '../../hand-over/number-news.ts';

/** How long a pairing in progress counts although its number has not reported since. */
const unreportedMs = 30_000;

type Reports = Readonly<Record<string, Pick<SenderReport, 'state' | 'revision'>>>;

/** How many pairings are under way at once. In memory: what is lost are those that no number has reported yet. */
export class PendingPairings {
  readonly #begun = new Map<string, { at: number; revision: number }>();

  /** Takes a place for the number's pairing; false when `most` others are under way. Null: as many as they like. */
  begin(numberId: string, reports: Reports, most: number | null, now: number): boolean {
    for (const [id, { at, revision }] of this.#begun) {
      // What the number has reported since says how it stands.
      const isReported = (reports[id]?.revision ?? 0) > revision;
      if (isReported || Math.abs(now - at) >= unreportedMs) this.#begun.delete(id);
    }
    const reported = Object.entries(reports).filter(([, { state }]) => state === 'pairing');
    const pending = new Set([...reported.map(([id]) => id), ...this.#begun.keys()]);
    pending.delete(numberId);
    if (most !== null && pending.size >= most) return false;
    this.#begun.set(numberId, { at: now, revision: reports[numberId]?.revision ?? 0 });
    return true;
  }

  /** It did not begin after all. */
  giveBack(numberId: string): void {
    this.#begun.delete(numberId);
  }
}

/** A number that has claimed a phone reports it within that time. */
const claimMs = 60_000;

/** Phones that are being linked: of two numbers that pair with the same phone at once, only the first gets it. In memory. */
export class PhoneClaims {
  readonly #claims = new Map<string, { numberId: string; until: number }>();

  /** False while another number has it. */
  claim(phoneNumber: string, numberId: string, now: number): boolean {
    for (const [phone, { until }] of this.#claims) if (until <= now) this.#claims.delete(phone);
    const claimed = this.#claims.get(phoneNumber);
    if (claimed && claimed.numberId !== numberId) return false;
    this.#claims.set(phoneNumber, { numberId, until: now + claimMs });
    return true;
  }
}
