/** Attempts at one host that one account has under way at a time, over all its webhooks there. */
const underWayMax = 200;

/** How much of the account is under way to each host. In memory: what an earlier life has begun ends with its lease. */
export class HostLoad {
  readonly #underWay = new Map<string, number>();
  /** Hosts for which somebody has to wait. */
  readonly #waited = new Set<string>();

  /** False: whoever asked is told by {@link end}. */
  hasRoom(host: string): boolean {
    if ((this.#underWay.get(host) ?? 0) < underWayMax) return true;
    this.#waited.add(host);
    return false;
  }

  begin(host: string, attempts: number): void {
    this.#underWay.set(host, (this.#underWay.get(host) ?? 0) + attempts);
  }

  /** True: others wait for this host. */
  end(host: string, attempts: number): boolean {
    const left = (this.#underWay.get(host) ?? 0) - attempts;
    if (left > 0) this.#underWay.set(host, left);
    else this.#underWay.delete(host);
    return this.#waited.delete(host);
  }
}
