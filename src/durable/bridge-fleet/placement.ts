/** A bridge that is linked now, as far as its room is concerned. */
export interface BridgeLoad {
  bridgeId: string;
  capacity: number;
  draining: boolean;
  /** Numbers that it holds. */
  leases: number;
}

/** The bridge that takes one more number: the one with the largest free share; null when none has room. */
export function placeNumber(bridges: readonly BridgeLoad[]): string | null {
  let best: { bridgeId: string; freeShare: number } | null = null;
  for (const { bridgeId, capacity, draining, leases } of bridges) {
    if (draining || leases >= capacity) continue;
    const freeShare = 1 - leases / capacity;
    if (best === null || freeShare > best.freeShare) best = { bridgeId, freeShare };
  }
  return best?.bridgeId ?? null;
}
