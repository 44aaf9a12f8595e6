/** What the process of the simulated bridge is asked. */
export type BridgeQuestion =
  /** Dials in, and says when it is welcome. */
  { kind: 'link'; edgeUrl: string; token: string } | { kind: 'count' };

export interface BridgeAnswer {
  /** Numbers that are connected. */
  connected: number;
  /** Messages that it was handed so far, and told the edge that they were read. */
  handed: number;
  read: number;
}
