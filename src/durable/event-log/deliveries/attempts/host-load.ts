import { type HostShare, shareMs } from '../../../callback-host/host-shares.ts';
import { logFault } from '../../../log.ts';
import { attemptsACallMax } from '../delivery-order.ts';

/** Until a share that is too small is asked for anew. */
const askAgainMs = 1_000;

interface Load {
  underWay: number;
  share: HostShare | null;
  isAsking: boolean;
  /** Milliseconds since 1970. */
  askAgainAt: number;
  /** Somebody has to wait. */
  isWaitedFor: boolean;
}

/** Asks the host's object for the account's share; `underWay` is what it has under way there now. */
export type AskShare = (host: string, underWay: number) => Promise<HostShare>;

interface Parts {
  ask: AskShare;
  waitUntil: (work: Promise<unknown>) => void;
  /** There may be room for those who had to wait. */
  onRoom: (host: string) => void;
}

/**
 * How much of the account is under way to each host, and how much may be: one call of the sender always, more by a share
 * that the host's object gives, which bounds all accounts together. In memory: what an earlier life has begun ends with
 * its lease, and its share is asked for anew.
 */
export class HostLoad {
  readonly #parts: Parts;
  readonly #loads = new Map<string, Load>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** False: {@link end} or `onRoom` tells when it may be otherwise. */
  hasRoom(host: string): boolean {
    const load = this.#loads.get(host);
    if (load === undefined || load.underWay === 0) return true;
    const now = Date.now();
    const validMs = (load.share?.until ?? 0) - now;
    const hasRoom = validMs > 0 && load.underWay + attemptsACallMax <= (load.share?.callbacks ?? 0);
    if (!hasRoom) load.isWaitedFor = true;
    if (!hasRoom || validMs < shareMs / 2) this.#ask(host, load, now);
    return hasRoom;
  }

  begin(host: string, attempts: number): void {
    const load = this.#loads.get(host) ?? {
      underWay: 0,
      share: null,
      isAsking: false,
      askAgainAt: 0,
      isWaitedFor: false,
    };
    load.underWay += attempts;
    this.#loads.set(host, load);
  }

  /** True: others wait for this host. */
  end(host: string, attempts: number): boolean {
    const load = this.#loads.get(host);
    if (load === undefined) return false;
    load.underWay -= attempts;
    if (load.underWay === 0 && (load.share?.until ?? 0) <= Date.now() && !load.isAsking)
      this.#loads.delete(host);
    return this.#wasWaitedFor(load);
  }

  #ask(host: string, load: Load, now: number): void {
    if (load.isAsking || now < load.askAgainAt) return;
    load.isAsking = true;
    this.#parts.waitUntil(this.#renew(host, load));
  }

  async #renew(host: string, load: Load): Promise<void> {
    try {
      load.share = await this.#parts.ask(host, load.underWay);
    } catch (error) {
      logFault('webhook.share_not_given', error);
    }
    load.isAsking = false;
    load.askAgainAt = Date.now() + askAgainMs;
    if (this.#wasWaitedFor(load)) this.#parts.onRoom(host);
  }

  #wasWaitedFor(load: Load): boolean {
    const wasWaitedFor = load.isWaitedFor;
    load.isWaitedFor = false;
    return wasWaitedFor;
  }
}
