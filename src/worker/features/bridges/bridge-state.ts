import type { ShownBridge } from '../../../durable/bridge-fleet/verbs/operator-verbs.ts';

export type BridgeState = 'revoked' | 'linked' | 'away' | 'expired';

/** How a bridge is at this time (milliseconds since 1970), in one word. */
export function bridgeState({ revokedAt, isLinked, leasesUntil }: ShownBridge, now: number): BridgeState {
  if (revokedAt) return 'revoked';
  if (isLinked) return 'linked';
  return leasesUntil !== null && leasesUntil <= now ? 'expired' : 'away';
}
