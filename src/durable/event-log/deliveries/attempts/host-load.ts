import { type HostShare, type ShareRequest, shareMs } from '../../../callback-host/host-shares.ts';
import { withinDeadline } from '../../../deadline.ts';
import { logFault } from '../../../log.ts';

/** Until the host is asked anew when it had less to give than was asked for. */
const askAgainMs = 1_000;
/** How long the host's object may take to answer. */
const answerMsMax = 10_000;
/** Asked for at first; then twice as much as is used. */
const firstShare = 24;

interface Load {
  underWay: number;
  /** The most that was under way since the share was asked for last. */
  peak: number;
  share: HostShare | null;
  isAsking: boolean;
  askAgainAt: number;
  /** Somebody has to wait. */
  isWaitedFor: boolean;
}

/** Asks the host's object for the account's share. */
export type AskShare = (
  host: string,
  wanted: Pick<ShareRequest, 'underWay' | 'wanted'>,
) => Promise<HostShare>;

interface Parts {
  ask: AskShare;
  waitUntil: (work: Promise<unknown>) => void;
  /** There may be room for those who had to wait. */
  onRoom: (host: string) => void;
}

/**
 * How many callbacks of the account are in progress to each host, and how many are allowed. One call of the sender and one
 * callback of each webhook are always allowed, so that a webhook that hangs delays no other. More need a share from the host's
 * object, which limits all accounts together. All of this is in memory: after a restart, earlier attempts end with their
 * lease, and a new share is requested.
 */
export class HostLoad {
  readonly #parts: Parts;
  readonly #loads = new Map<string, Load>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * How many of these attempts at one webhook may start; `isFirst`: none is in progress for it. If it is fewer than wanted,
   * {@link end} or `onRoom` tells when more may start.
   */
  roomFor(host: string, wanted: number, isFirst: boolean): number {
    const load = this.#loads.get(host);
    if (load === undefined || load.underWay === 0) return wanted;
    const now = Date.now();
    const validMs = (load.share?.until ?? 0) - now;
    const left = validMs > 0 ? (load.share?.callbacks ?? 0) - load.underWay : 0;
    const room = Math.max(left, isFirst ? 1 : 0);
    if (room < wanted) load.isWaitedFor = true;
    if (room < wanted || (validMs > 0 && validMs < shareMs / 2)) this.#ask(host, load, now);
    return Math.min(wanted, room);
  }

  begin(host: string, attempts: number): void {
    const load = this.#loads.get(host) ?? {
      underWay: 0,
      peak: 0,
      share: null,
      isAsking: false,
      askAgainAt: 0,
      isWaitedFor: false,
    };
    load.underWay += attempts;
    load.peak = Math.max(load.peak, load.underWay);
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
    const { underWay, peak } = load;
    const wanted = Math.max(firstShare, 2 * peak);
    load.peak = underWay;
    load.askAgainAt = Date.now() + askAgainMs;
    try {
      load.share = await withinDeadline(this.#parts.ask(host, { underWay, wanted }), answerMsMax);
      if (load.share.callbacks >= wanted) load.askAgainAt = 0;
    } catch (error) {
      logFault('webhook.share_not_given', error);
    }
    load.isAsking = false;
    if (this.#wasWaitedFor(load)) this.#parts.onRoom(host);
  }

  #wasWaitedFor(load: Load): boolean {
    const wasWaitedFor = load.isWaitedFor;
    load.isWaitedFor = false;
    return wasWaitedFor;
  }
}
