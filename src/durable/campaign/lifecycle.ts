import type { CampaignStatus } from '../../contract/campaigns/campaign.ts';

/** What can be done to a campaign, and what happens to it by itself. */
export type CampaignAction =
  | 'edit'
  | 'schedule'
  | 'start'
  | 'begin'
  | 'pause'
  | 'resume'
  | 'finish'
  | 'cancel'
  | 'retry'
  | 'delete';

/** The state after each action; what is missing cannot be done. */
const transitions: Record<CampaignStatus, Partial<Record<CampaignAction, CampaignStatus>>> = {
  draft: { edit: 'draft', schedule: 'scheduled', start: 'running', delete: 'draft' },
  scheduled: { edit: 'scheduled', begin: 'running', start: 'running', pause: 'draft', cancel: 'cancelled' },
  running: { pause: 'paused', finish: 'finished', cancel: 'cancelled', retry: 'running' },
  paused: { resume: 'running', cancel: 'cancelled', retry: 'paused' },
  finished: { retry: 'running', delete: 'finished' },
  cancelled: { delete: 'cancelled' },
};

/** The status after an action; null: it cannot be done now. */
export function statusAfter(status: CampaignStatus, action: CampaignAction): CampaignStatus | null {
  return transitions[status][action] ?? null;
}
