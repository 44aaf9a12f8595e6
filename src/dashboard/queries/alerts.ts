import { infiniteQueryOptions, queryOptions, useInfiniteQuery } from '@tanstack/react-query';
import type { Alert, AlertChannel } from '../../sdk/index.ts';
import { gateway } from '../gateway/client.ts';
import { changed, queryClient, showStored, withStored } from '../gateway/query-client.ts';
import { byPage, whileDelivering } from './pages.ts';

const key = ['alerts'] as const;
const channelsKey = ['alert-channels'] as const;

/** A mute ends by itself, and nothing tells that it has. */
const lookEveryMs = 60_000;

/** Newest first, page by page; `isOpen`: what lasts, or what is over. */
export const alertsQuery = (isOpen: boolean | undefined) =>
  infiniteQueryOptions({
    queryKey: [...key, 'list', isOpen ?? 'all'],
    ...byPage((signal) =>
      gateway.alerts.list(isOpen === undefined ? {} : { open: isOpen }, { limit: 50, signal }),
    ),
  });

/**
 * What lasts and wants a person, as far as it was asked for: whoever shows it shares one answer. The stream of events tells
 * when alerts have changed.
 */
export function useOpenAlerts(isWanted = true): Alert[] {
  const { data } = useInfiniteQuery({ ...alertsQuery(true), enabled: isWanted });
  return data?.pages.flatMap((page) => page.data) ?? [];
}

export const alertsChanged = () => queryClient.invalidateQueries({ queryKey: key });

/** What nobody is told of for a while. */
export const mutesQuery = queryOptions({
  queryKey: [...key, 'mutes'],
  queryFn: ({ signal }) => Array.fromAsync(gateway.alertMutes.list({ limit: 200, signal })),
  refetchInterval: lookEveryMs,
});

/** Every channel of the account: there are few. */
export const channelsQuery = queryOptions({
  queryKey: [...channelsKey, 'all'],
  // Others of the account change them, and no event says so.
  staleTime: 0,
  queryFn: ({ signal }) => Array.fromAsync(gateway.alertChannels.list({ limit: 200, signal })),
});

export const channelQuery = (id: string) =>
  queryOptions({
    queryKey: [...channelsKey, 'one', id],
    queryFn: ({ signal }) => gateway.alertChannels.get(id, { signal }),
    placeholderData: () =>
      queryClient.getQueryData(channelsQuery.queryKey)?.find(({ channelId }) => channelId === id),
  });

/** Newest first, page by page. */
export const channelDeliveriesQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: [...channelsKey, 'deliveries', id],
    ...byPage((signal) => gateway.alertChannels.deliveries(id, { limit: 20, signal })),
    refetchInterval: whileDelivering,
  });

/** What the gateway has stored is what is shown, in the list as on its page. */
export function showChannel(channel: AlertChannel): void {
  showStored(channelQuery(channel.channelId).queryKey, channel);
  showStored(channelsQuery.queryKey, (all) => withStored(all, channel, ({ channelId }) => channelId));
}

export const channelsChanged = (deletedId?: string) => changed(channelsKey, deletedId);
