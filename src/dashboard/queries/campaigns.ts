import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Campaign, CampaignList, CampaignRecipient } from '../../sdk/index.ts';
import { gateway } from '../gateway/client.ts';
import { changed, queryClient, showStored } from '../gateway/query-client.ts';
import { byPage } from './pages.ts';

const key = ['campaigns'] as const;
/** While something moves, it is looked at this often. */
const lookEveryMs = 1_500;

export type CampaignSummary = CampaignList['data'][number];
export type RecipientFilter = CampaignRecipient['status'] | 'replied' | 'opted_out';

const moves = (status: Campaign['status'] | undefined) => status === 'running' || status === 'scheduled';

/** Newest first, page by page. */
export const campaignsQuery = infiniteQueryOptions({
  queryKey: [...key, 'list'],
  ...byPage((signal) => gateway.campaigns.list({ limit: 50, signal })),
  staleTime: 0,
  refetchInterval: ({ state }) =>
    state.data?.pages.some(({ data }) => data.some(({ status }) => moves(status))) ? 2 * lookEveryMs : false,
});

export const campaignQuery = (campaignId: string) =>
  queryOptions({
    queryKey: [...key, 'one', campaignId],
    queryFn: ({ signal }) => gateway.campaigns.get(campaignId, { signal }),
    staleTime: 0,
    refetchInterval: ({ state }) => {
      const { status, counts } = state.data ?? {};
      if (moves(status) || (counts?.queued ?? 0) > 0) return lookEveryMs;
      // Receipts and answers still come in.
      return status === 'finished' || status === 'paused' ? 4 * lookEveryMs : false;
    },
  });

export const previewQuery = (campaignId: string) =>
  queryOptions({
    queryKey: [...key, 'preview', campaignId],
    queryFn: ({ signal }) => gateway.campaigns.preview(campaignId, { signal, timeoutMs: 60_000 }),
    staleTime: 0,
    gcTime: 0,
  });

export const recipientsQuery = (campaignId: string, status: RecipientFilter | undefined, isMoving: boolean) =>
  infiniteQueryOptions({
    queryKey: [...key, 'recipients', campaignId, status ?? 'all'],
    ...byPage((signal) =>
      gateway.campaigns.recipients(campaignId, status === undefined ? {} : { status }, { limit: 50, signal }),
    ),
    staleTime: 0,
    refetchInterval: isMoving ? 2 * lookEveryMs : false,
  });

/** What the gateway has stored is what is shown. */
export function showCampaign(campaign: Campaign): void {
  showStored(campaignQuery(campaign.campaignId).queryKey, campaign);
  void queryClient.invalidateQueries({ queryKey: [...key, 'list'] });
  void queryClient.invalidateQueries({ queryKey: [...key, 'recipients', campaign.campaignId] });
}

export const campaignsChanged = (deletedId?: string) => changed(key, deletedId);
