import type {
  CampaignCounts,
  CampaignHold,
  CampaignReason,
  CampaignStatus,
} from '../../contract/campaigns/campaign.ts';
import type { CampaignDefinition } from './definition.ts';
import type { Progress } from './progress.ts';
import { countsOf } from './recipients/tally.ts';

/** A campaign as the Worker is told of it. Times are milliseconds since 1970. */
export interface CampaignView {
  ok: true;
  campaignId: string;
  definition: CampaignDefinition;
  status: CampaignStatus;
  reason: CampaignReason | null;
  hold: { reason: CampaignHold; until: number | null } | null;
  counts: CampaignCounts;
  /** By text: how many have left, and how many of those answered. */
  variants: { sent: number; replied: number }[];
  winner: number | null;
  createdAt: number;
  startedAt: number | null;
  endedAt: number | null;
}

export function viewOf(definition: CampaignDefinition, progress: Readonly<Progress>): CampaignView {
  const { campaignId, status, reason, tally, winner, createdAt, startedAt, endedAt } = progress;
  const isFreezing = status === 'running' && !progress.isFrozen;
  return {
    ok: true,
    campaignId,
    definition,
    status,
    reason,
    hold: status === 'running' ? (isFreezing ? { reason: 'audience', until: null } : progress.hold) : null,
    counts: countsOf(tally),
    variants: tally.variants,
    winner,
    createdAt,
    startedAt,
    endedAt,
  };
}
