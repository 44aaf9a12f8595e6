import type { CampaignCounts } from '../../../contract/campaigns/campaign.ts';
import { hasLeft, type RecipientState } from './recipient-steps.ts';

/** How many recipients are in each state, and what they did then. */
export interface Tally {
  states: Record<RecipientState, number>;
  replied: number;
  optedOut: number;
  /** By text: how many have left, and how many of those answered. */
  variants: { sent: number; replied: number }[];
}

export const emptyTally = (variants: number): Tally => ({
  states: {
    pending: 0,
    held: 0,
    queued: 0,
    sent: 0,
    delivered: 0,
    read: 0,
    failed: 0,
    skipped: 0,
    cancelled: 0,
  },
  replied: 0,
  optedOut: 0,
  variants: Array.from({ length: variants }, () => ({ sent: 0, replied: 0 })),
});

/** Somebody is in a state now; `from`: null for one who is new. Changes the tally. */
export function count(
  tally: Tally,
  from: RecipientState | null,
  to: RecipientState,
  variant: number | null,
): void {
  if (from !== null) tally.states[from] -= 1;
  tally.states[to] += 1;
  const ofVariant = variant === null ? undefined : tally.variants[variant];
  if (ofVariant === undefined) return;
  const had = from !== null && hasLeft(from);
  if (!had && hasLeft(to)) ofVariant.sent += 1;
  if (had && !hasLeft(to)) ofVariant.sent -= 1;
}

export function countsOf({ states, replied, optedOut }: Tally): CampaignCounts {
  const { pending, held, queued, sent, delivered, read, failed, skipped, cancelled } = states;
  return {
    recipients: Object.values(states).reduce((sum, one) => sum + one, 0),
    pending: pending + held,
    queued,
    sent: sent + delivered + read,
    delivered: delivered + read,
    read,
    failed,
    replied,
    optedOut,
    skipped,
    cancelled,
  };
}
