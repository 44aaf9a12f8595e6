import { queryOptions } from '@tanstack/react-query';
import type { Webhook } from '../../sdk/index.ts';
import { gateway } from '../gateway/client.ts';

/** Every webhook of the account: a plan allows few. */
export const webhooksQuery = queryOptions({
  queryKey: ['webhooks'],
  // Others of the account change them, and no event says so.
  staleTime: 0,
  queryFn: async ({ signal }) => {
    const all: Webhook[] = [];
    for await (const webhook of gateway.webhooks.list({ limit: 200, signal })) all.push(webhook);
    return all;
  },
});
