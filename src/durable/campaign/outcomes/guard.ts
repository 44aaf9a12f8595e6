import type { CampaignReason } from '../../../contract/campaigns/campaign.ts';

/** What a campaign watches, so that it stops before it costs a number. Counted since it was started or went on. */
export interface GuardRecord {
  failures: number;
  sent: number;
  optedOut: number;
  /** The last outcomes, oldest first: `f` a failure, `s` one that was sent. */
  recent: string;
}

export const freshGuard: GuardRecord = { failures: 0, sent: 0, optedOut: 0, recent: '' };

/** How many of the last outcomes are examined, the fewest that count, and the share of failures that is too high. */
const recentMax = 50;
const recentMin = 20;
const failureShareMax = 0.3;
/** The fewest opt-outs that count, and the share of recipients that is too high. */
const optOutsMin = 5;
const optOutShareMax = 0.05;

export type GuardOutcome = 'sent' | 'failed' | 'opted_out' | 'network_restricted';

/** The record after an outcome, and why the campaign is to stop; null: it may go on. */
export function afterOutcome(
  record: GuardRecord,
  outcome: GuardOutcome,
  stopAfterFailures: number,
): { record: GuardRecord; stop: CampaignReason | null } {
  if (outcome === 'opted_out') {
    const optedOut = record.optedOut + 1;
    const isMany = optedOut >= optOutsMin && optedOut > record.sent * optOutShareMax;
    return { record: { ...record, optedOut }, stop: isMany ? 'opt_outs' : null };
  }
  const isSent = outcome === 'sent';
  const recent = `${record.recent}${isSent ? 's' : 'f'}`.slice(-recentMax);
  const failures = record.failures + (isSent ? 0 : 1);
  const next = { ...record, recent, failures, sent: record.sent + (isSent ? 1 : 0) };
  if (isSent) return { record: next, stop: null };
  if (outcome === 'network_restricted') return { record: next, stop: 'network_restricted' };
  if (failures >= stopAfterFailures) return { record: next, stop: 'failures' };
  const failed = [...recent].filter((one) => one === 'f').length;
  const isRise = recent.length >= recentMin && failed > recent.length * failureShareMax;
  return { record: next, stop: isRise ? 'failure_rate' : null };
}
