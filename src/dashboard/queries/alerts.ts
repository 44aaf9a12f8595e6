import { queryOptions } from '@tanstack/react-query';
import { gateway } from '../gateway/client.ts';
import { queryClient } from '../gateway/query-client.ts';

const key = ['alerts'] as const;

/** What lasts and wants a person. */
export const openAlertsQuery = queryOptions({
  queryKey: [...key, 'open'],
  queryFn: async ({ signal }) =>
    (await gateway.alerts.list({ open: true }, { limit: 50, signal }).page()).data,
});

export const alertsChanged = () => queryClient.invalidateQueries({ queryKey: key });
