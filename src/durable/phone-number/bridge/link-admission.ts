import { grantHeader } from '../../../contract/bridge/bridge-frames.ts';
import { isGoodGrant } from '../../bridge-grants.ts';
import type { DeviceStore } from '../device/device-store.ts';
import type { NumberState } from '../number-state.ts';

/** Who asks, as the Worker has proven it, and with what. */
export interface LinkRequest {
  bridgeId: string;
  epoch: number;
  /** What the fleet has signed for the bridge; null where the Worker has asked the fleet instead. */
  grant: string | null;
  /** What the fleet has answered to the Worker. */
  standing: 'drive' | 'report' | null;
}

/** `not believed`: the fleet can still tell. `over`: another bridge has had the number since. */
export type Admission = 'drive' | 'report' | 'not believed' | 'over';

/** Bridges that are remembered as revoked. Grants of any before them have run out, or have an epoch that is over. */
const revokedMax = 8;

/**
 * What a bridge may do with the number. A grant is checked here, without the fleet: it is signed, it names this number, the
 * bridge and the epoch, and it runs out. A grant does not show that its lease has ended early. The number therefore refuses a
 * grant with an earlier epoch than it has seen, and one from a bridge that was revoked.
 */
export class LinkAdmission {
  readonly #env: Env;
  readonly #device: DeviceStore;
  readonly #state: NumberState;

  constructor(env: Env, device: DeviceStore, state: NumberState) {
    this.#env = env;
    this.#device = device;
    this.#state = state;
  }

  /** For a number that is there. */
  admit({ bridgeId, epoch, grant, standing }: LinkRequest, now: number): Admission {
    const { numberId, epoch: newest } = this.#device.known;
    if (grant === null) return standing === 'drive' && epoch >= newest ? 'drive' : 'report';
    const isGood =
      isGoodGrant(this.#env, { numberId, bridgeId, epoch }, grant, now) && !this.#revoked.includes(bridgeId);
    if (!isGood) return 'not believed';
    return epoch < newest ? 'over' : 'drive';
  }

  /** No grant of this bridge counts any more. */
  revoke(bridgeId: string): void {
    if (this.#revoked.includes(bridgeId)) return;
    this.#state.put('revokedBridges', [...this.#revoked, bridgeId].slice(-revokedMax));
  }

  get #revoked(): string[] {
    return this.#state.get<string[]>('revokedBridges') ?? [];
  }
}

/** What an upgrade asks for; null where it is none that the Worker has let through. */
export function linkRequestOf(request: Request): LinkRequest | null {
  const { searchParams } = new URL(request.url);
  const epoch = Number(searchParams.get('epoch'));
  const bridgeId = searchParams.get('bridge');
  const asked = searchParams.get('standing');
  const standing = asked === 'drive' || asked === 'report' ? asked : null;
  const grant = standing === null ? request.headers.get(grantHeader) : null;
  const isUpgrade = request.headers.get('Upgrade') === 'websocket';
  if (!isUpgrade || bridgeId === null || !Number.isSafeInteger(epoch) || epoch < 1) return null;
  return standing === null && grant === null ? null : { bridgeId, epoch, grant, standing };
}
