import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Delivery, EventName, Webhook } from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';
import { changed, queryClient, withStored } from '../../gateway/query-client.ts';
import { byPage } from '../pages.ts';

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

/** An attempt that is due has come to something by then. */
const attemptMs = 2_000;

/** When one that is under way comes to its next step; false: all have ended, or wait for a person. */
function nextLookMs(deliveries: readonly Delivery[]): number | false {
  const waits = deliveries
    .filter(({ status }) => status === 'pending')
    .map(({ nextAttemptAt }) => (nextAttemptAt === null ? 0 : Date.parse(nextAttemptAt) - Date.now()));
  return waits.length > 0 && Math.max(0, Math.min(...waits)) + attemptMs;
}

/** Newest first, page by page. An attempt that fails is told by no event: it is asked for when the next one is due. */
export const deliveriesQuery = (webhookId: string, filter: DeliveryFilter) =>
  infiniteQueryOptions({
    queryKey: [...key, 'deliveries', webhookId, filter],
    ...byPage((signal) => gateway.webhooks.deliveries(webhookId, filter, { limit: 50, signal })),
    refetchInterval: ({ state }) => nextLookMs(state.data?.pages.flatMap(({ data }) => data) ?? []),
  });

/** What the gateway has stored is what is shown, in the list as on its page. */
export function showWebhook(webhook: Webhook): void {
  queryClient.setQueryData(webhookQuery(webhook.id).queryKey, webhook);
  queryClient.setQueryData(webhooksQuery.queryKey, (all) => withStored(all, webhook, ({ id }) => id));
}

export const webhooksChanged = (deletedId?: string) => changed(key, deletedId);

/** What is sent again is begun a moment later, and no event tells of it. */
export function sentAgain(): void {
  void webhooksChanged();
  setTimeout(() => void webhooksChanged(), attemptMs);
}
