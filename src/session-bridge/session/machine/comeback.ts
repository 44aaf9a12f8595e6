import { backoffMs, spreadMs, timerMsMax } from '../../backoff.ts';
import type { BridgeTimings } from '../../config.ts';
import type { ConnectionEnd } from '../../network/connection/connection.ts';
import type { Ending } from '../../network/connection/connection-end.ts';

/** Restarts that the network may ask for in a row before a backoff applies to them too. */
const promptRestartsMax = 3;
/** When a ban that passes is looked at again whose end the network has not said. */
const banWithoutEndMs = 3_600_000;

export type ComebackTimings = Pick<BridgeTimings, 'reconnectBaseMs' | 'reconnectCapMs' | 'stableAfterMs'>;

/** How long a session waits before it comes back. */
export class Comeback {
  readonly #timings: ComebackTimings;
  /** Connections that were lost since the last one that lasted. */
  #attempt = 0;
  #restarts = 0;

  constructor(timings: ComebackTimings) {
    this.#timings = timings;
  }

  /** A pairing begins: what was lost before says nothing about it. */
  beginAnew(): void {
    this.#attempt = 0;
  }

  /** A connection is over that was open since then, by the clock of `performance.now()`. */
  closed(openedAtMs: number): void {
    if (performance.now() - openedAtMs < this.#timings.stableAfterMs) return;
    this.#attempt = 0;
    this.#restarts = 0;
  }

  nextWaitMs(): number {
    const { reconnectBaseMs: baseMs, reconnectCapMs: capMs } = this.#timings;
    const waitMs = backoffMs(this.#attempt, { baseMs, capMs });
    this.#attempt += 1;
    return waitMs;
  }

  /** The network has asked for a restart. */
  waitAfterRestartMs(): number {
    this.#restarts += 1;
    return this.#restarts > promptRestartsMax ? this.nextWaitMs() : 0;
  }

  waitAfterLossMs(
    comeBack: Extract<Ending, { kind: 'lost' }>['comeBack'],
    { expiresInMs }: ConnectionEnd,
  ): number {
    switch (comeBack) {
      case 'with backoff':
        return this.nextWaitMs();
      case 'slowly':
        return spreadMs(this.#timings.reconnectCapMs);
      case 'at its end':
        // If a refusal lasts longer than the longest timer, there is one attempt in between.
        return Math.min((expiresInMs ?? banWithoutEndMs) + this.nextWaitMs(), timerMsMax);
    }
  }
}
