import type { Campaign, CampaignRecipient } from '../../../sdk/index.ts';
import type { Tone } from '../../parts/feedback.tsx';
import type { RecipientFilter } from '../../queries/campaigns.ts';

export const campaignTone: Record<Campaign['status'], Tone> = {
  draft: 'grey',
  scheduled: 'blue',
  running: 'green',
  paused: 'amber',
  finished: 'blue',
  cancelled: 'grey',
};

export const recipientTone: Record<CampaignRecipient['status'], Tone> = {
  pending: 'grey',
  queued: 'amber',
  sent: 'green',
  delivered: 'green',
  read: 'blue',
  failed: 'red',
  skipped: 'grey',
  cancelled: 'grey',
};

export const recipientFilters = [
  ...(Object.keys(recipientTone) as CampaignRecipient['status'][]),
  'replied',
  'opted_out',
] as const satisfies readonly RecipientFilter[];

/** Those with whom it is done: they have it, or will not get it. */
export const doneOf = ({ recipients, pending, queued }: Campaign['counts']) => recipients - pending - queued;

export const percentOf = (counts: Campaign['counts']) =>
  counts.recipients === 0 ? 0 : Math.floor((100 * doneOf(counts)) / counts.recipients);
