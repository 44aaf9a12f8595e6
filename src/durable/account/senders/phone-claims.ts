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
