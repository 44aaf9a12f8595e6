import type { NetworkFiles } from '../../network/files/network-files.ts';
import type { FilesAhead } from './files-ahead.ts';
import type { RateHold } from './rate-hold.ts';
import type { SendEntry } from './send-entry.ts';
import { isHeld, isInFlight } from './send-states.ts';

/** From so many hand-overs on a message is handed over alone: it may be what ends the connections. */
const suspiciousAfter = 2;
const aloneMs = 5_000;
/** The longest that a timer takes. */
const timerMsMax = 2 ** 31 - 1;

export interface TurnsOptions {
  /** In the order in which they came. */
  entries: ReadonlyMap<string, SendEntry>;
  files: FilesAhead;
  hold: RateHold;
  /** By time alone it has become somebody's turn. */
  onTurn: () => void;
}

/** Whose turn it is to be handed to the network. */
export class Turns {
  readonly #options: TurnsOptions;
  /** A suspicious message that was handed over alone: until it is answered, or for a while, nothing else leaves. */
  #alone: { entry: SendEntry; untilMs: number } | null = null;
  #wakeTimer: NodeJS.Timeout | undefined;

  constructor(options: TurnsOptions) {
    this.#options = options;
  }

  /** Whether a suspicious message holds up the others. */
  get isOneAlone(): boolean {
    return this.#alone !== null;
  }

  /** The entry is about to be handed over. */
  taken(entry: SendEntry): void {
    if (entry.handOvers >= suspiciousAfter) this.#alone = { entry, untilMs: performance.now() + aloneMs };
  }

  /** The connection is gone, and with it what was under way. */
  lost(): void {
    this.#alone = null;
  }

  dispose(): void {
    clearTimeout(this.#wakeTimer);
  }

  /**
   * Who came first, but for those whose file is still on its way to the network, and whoever stands behind one of them in
   * the same chat. Where it is nobody's turn yet, it is looked again when that changes by time alone.
   */
  next(networkFiles: NetworkFiles): SendEntry | null {
    const { entries, files, hold, onTurn } = this.#options;
    let wakeInMs = this.#aloneMs();
    if (wakeInMs === 0) {
      let suspicious: SendEntry | null = null;
      let soonestMs = Number.POSITIVE_INFINITY;
      const waitingChats = new Set<string>();
      for (const entry of entries.values()) {
        const { message, state } = entry;
        if (isHeld(state)) waitingChats.add(message.to);
        if (state !== 'queued' && state !== 'again') continue;
        const leftMs = entry.leavesBeforeMs - performance.now();
        const isReady = files.isReady(message, networkFiles) && !waitingChats.has(message.to);
        if (!isReady) waitingChats.add(message.to);
        const waitMs = isReady ? hold.waitMs(message.to) : leftMs;
        if (leftMs > 0 && waitMs > 0) soonestMs = Math.min(soonestMs, waitMs, leftMs);
        else if (entry.handOvers < suspiciousAfter) return entry;
        else if (!suspicious || entry.handOvers < suspicious.handOvers) suspicious = entry;
      }
      if (suspicious) return suspicious;
      wakeInMs = soonestMs;
    }
    clearTimeout(this.#wakeTimer);
    if (Number.isFinite(wakeInMs)) this.#wakeTimer = setTimeout(onTurn, Math.min(wakeInMs, timerMsMax));
    return null;
  }

  /** How long nothing else may leave because of a suspicious message; 0 where none is under way. */
  #aloneMs(): number {
    if (!this.#alone) return 0;
    const { entry, untilMs } = this.#alone;
    if (isInFlight(entry.state) && untilMs > performance.now()) return untilMs - performance.now();
    this.#alone = null;
    return 0;
  }
}
