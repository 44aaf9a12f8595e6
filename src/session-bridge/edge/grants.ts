import { grantHeader, grantTimes } from '../../contract/bridge/bridge-frames.ts';
import type { Lease } from '../journal/leases.ts';

interface Known {
  epoch: number;
  grant: string;
  /** By the clock that nobody sets: what clocks of others show is of no account. */
  takenAtMs: number;
}

/**
 * The grants that the fleet has signed for this bridge. With a grant, the link of a number opens without a call to the fleet.
 * Without a valid one, the edge asks the fleet. So grants need not be stored on disk.
 */
export class Grants {
  readonly #known = new Map<string, Known>();

  store({ numberId, epoch }: Lease, grant: string): void {
    this.#known.set(numberId, { epoch, grant, takenAtMs: performance.now() });
  }

  /** The number has not believed it: the fleet has to be asked. */
  drop({ numberId }: Lease): void {
    this.#known.delete(numberId);
  }

  /** The headers of an upgrade request under this lease. */
  headersOf({ numberId, epoch }: Lease): Record<string, string> {
    const known = this.#known.get(numberId);
    if (known === undefined) return {};
    const isGood = known.epoch === epoch && performance.now() - known.takenAtMs < grantTimes.usedMs;
    return isGood ? { [grantHeader]: known.grant } : {};
  }
}
