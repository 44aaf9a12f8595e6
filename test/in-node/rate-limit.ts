/** The platform's rate limit: so many a period for each key. */
export class RateLimit {
  readonly #limit: number;
  readonly #periodMs: number;
  readonly #counts = new Map<string, { since: number; count: number }>();

  constructor({ limit, period }: { limit: number; period: number }) {
    this.#limit = limit;
    this.#periodMs = period * 1000;
  }

  clear(): void {
    this.#counts.clear();
  }

  async limit({ key }: { key: string }): Promise<{ success: boolean }> {
    const now = Date.now();
    const known = this.#counts.get(key);
    const counted =
      known !== undefined && now < known.since + this.#periodMs ? known : { since: now, count: 0 };
    counted.count += 1;
    this.#counts.set(key, counted);
    return { success: counted.count <= this.#limit };
  }
}
