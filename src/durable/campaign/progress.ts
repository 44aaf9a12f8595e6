import type {
  CampaignCounts,
  CampaignHold,
  CampaignReason,
  CampaignStatus,
} from '../../contract/campaigns/campaign.ts';
import type { CampaignDefinition } from './definition.ts';
import { freshGuard, type GuardRecord } from './outcomes/guard.ts';
import { countsOf, emptyTally, type Tally } from './recipient.ts';

/** Something that is done to many recipients, a slice at a time. */
export interface Sweep {
  /**
   * `release`: recipients who were held back get the winning text. `cancel`, `quota_ended`: recipients who still wait get
   * nothing. `retry`: recipients whose message failed get another one.
   */
  kind: 'release' | 'cancel' | 'quota_ended' | 'retry';
  /** Up to which recipient it is done; not there: from the first one on. */
  after?: number;
}

/** How far a campaign is. Times are milliseconds since 1970. */
export interface Progress {
  accountId: string;
  campaignId: string;
  createdAt: number;
  status: CampaignStatus;
  reason: CampaignReason | null;
  startedAt: number | null;
  /** When it went on after it had stopped; what was sent before is watched no more. */
  resumedAt?: number | null;
  /** When it was finished or cancelled. */
  endedAt: number | null;
  /** Rises with each change that the log is told of. */
  revision: number;
  /** How much of the audience is written down. */
  frozenUpTo: string | null;
  isFrozen: boolean;
  /** Where the account's events are read on; null: they are not read yet. */
  cursor: string | null;
  /** Recipients that the account is being asked about, since when: the same until it has answered. */
  batch: { at: number; ids: number[] } | null;
  tally: Tally;
  /** By the rate an hour, the next one is due then. */
  rateNextAt: number;
  guard: GuardRecord;
  /** Which text is better; null: that is not known yet. */
  winner: number | null;
  /** When the last of those who decide it had left. */
  testedAt: number | null;
  hold: { reason: CampaignHold; until: number | null } | null;
  /** What was accepted and has not left is to be taken back. */
  mustWithdraw: boolean;
  /** Up to which recipient that was done; null: from the first one on. */
  withdrawnUpTo?: number | null;
  sweeps: Sweep[];
}

export const newProgress = (
  accountId: string,
  campaignId: string,
  texts: number,
  createdAt: number,
): Progress => ({
  accountId,
  campaignId,
  createdAt,
  status: 'draft',
  reason: null,
  startedAt: null,
  endedAt: null,
  revision: 0,
  frozenUpTo: null,
  isFrozen: false,
  cursor: null,
  batch: null,
  tally: emptyTally(texts),
  rateNextAt: 0,
  guard: freshGuard,
  winner: null,
  testedAt: null,
  hold: null,
  mustWithdraw: false,
  sweeps: [],
});

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

/** A campaign as the Worker is told of it. Times are milliseconds since 1970. */
export interface CampaignView
  extends Pick<
    Progress,
    'campaignId' | 'status' | 'reason' | 'hold' | 'winner' | 'createdAt' | 'startedAt' | 'endedAt'
  > {
  ok: true;
  definition: CampaignDefinition;
  counts: CampaignCounts;
  /** By text: how many have left, and how many of those answered. */
  variants: { sent: number; replied: number }[];
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
