import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Delivery, EventName, Webhook } from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';
import { changed, queryClient, showStored, withStored } from '../../gateway/query-client.ts';
import { attemptMs, byPage, whileDelivering } from '../pages.ts';

const key = ['webhooks'] as const;

/** Every webhook of the account: a plan allows few. */
export const webhooksQuery = queryOptions({
  queryKey: [...key, 'all'],
  // Others of the account change them, and no event says so.
  staleTime: 0,
  queryFn: ({ signal }) => Array.fromAsync(gateway.webhooks.list({ limit: 200, signal })),
});

export const webhookQuery = (id: string) =>
  queryOptions({
    queryKey: [...key, 'one', id],
    queryFn: ({ signal }) => gateway.webhooks.get(id, { signal }),
    placeholderData: () =>
      queryClient.getQueryData(webhooksQuery.queryKey)?.find((webhook) => webhook.id === id),
  });

export interface DeliveryFilter {
  status?: Delivery['status'];
  event?: EventName;
}

/** Newest first, page by page. */
export const deliveriesQuery = (webhookId: string, filter: DeliveryFilter) =>
  infiniteQueryOptions({
    queryKey: [...key, 'deliveries', webhookId, filter],
    ...byPage((signal) => gateway.webhooks.deliveries(webhookId, filter, { limit: 50, signal })),
    refetchInterval: whileDelivering,
  });

/** What the gateway has stored is what is shown, in the list as on its page. */
export function showWebhook(webhook: Webhook): void {
  showStored(webhookQuery(webhook.id).queryKey, webhook);
  showStored(webhooksQuery.queryKey, (all) => withStored(all, webhook, ({ id }) => id));
}

export const webhooksChanged = (deletedId?: string) => changed(key, deletedId);

/** What is sent again is begun a moment later, and no event tells of it. */
export function sentAgain(): void {
  void webhooksChanged();
  setTimeout(() => void webhooksChanged(), attemptMs);
}
