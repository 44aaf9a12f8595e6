import { grantTimes } from '../../contract/bridge/bridge-frames.ts';
import { signedGrant } from '../bridge-grants.ts';
import type { ControlLinks } from './control-links.ts';
import type { Lease } from './lease-rows.ts';

/** Leases of one frame. */
const leasesPerFrame = 1_000;

/**
 * Says to bridges which numbers they drive, each with the grant that the number believes.
 */
export class LeaseGrants {
  readonly #env: Env;
  readonly #links: ControlLinks;

  constructor(env: Env, links: ControlLinks) {
    this.#env = env;
    this.#links = links;
  }

  /** What a bridge without a link does not hear, it hears after its next hello. */
  tell(bridgeId: string, numberId: string, epoch: number, now: number): void {
    const grant = this.#sign(bridgeId, numberId, epoch, now);
    this.#links.send(bridgeId, { type: 'lease.granted', numberId, epoch, grant });
  }

  /** After a hello: all that the bridge holds. */
  tellAll(bridgeId: string, held: readonly Lease[], now: number): void {
    for (const { number_id: numberId, epoch } of held) this.tell(bridgeId, numberId, epoch, now);
    this.#links.noteGrants(bridgeId, now);
  }

  /** New grants for all that the bridge holds, where it is time. Whatever it got meanwhile is newer. */
  renew(bridgeId: string, held: () => readonly Lease[], now: number): void {
    const grantedAt = this.#links.grantsAt(bridgeId);
    const isDue = grantedAt === null || now - grantedAt >= grantTimes.renewEveryMs;
    if (!isDue) return;
    const leases = held().map(({ number_id: numberId, epoch }) => ({
      numberId,
      epoch,
      grant: this.#sign(bridgeId, numberId, epoch, now),
    }));
    for (let first = 0; first < leases.length; first += leasesPerFrame) {
      const part = leases.slice(first, first + leasesPerFrame);
      this.#links.send(bridgeId, { type: 'leases.renewed', leases: part });
    }
    this.#links.noteGrants(bridgeId, now);
  }

  #sign(bridgeId: string, numberId: string, epoch: number, now: number): string {
    return signedGrant(this.#env, { bridgeId, numberId, epoch }, now);
  }
}
