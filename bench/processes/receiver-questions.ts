import type { Arrival } from '../stage/receivers.ts';

/** What the process of the receivers is asked. */
export type ReceiverQuestion =
  | { kind: 'url' }
  | { kind: 'hang'; prefix: string | null }
  /** How many callbacks have arrived since the last taking. */
  | { kind: 'count' }
  /** They, and from then on they are forgotten. */
  | { kind: 'take' };

export interface ReceiverAnswer {
  url: string;
  count: number;
  arrivals: Arrival[];
}
