import { queryOptions } from '@tanstack/react-query';
import type { ApiKey } from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';
import { showStored, withStored } from '../../gateway/query-client.ts';

/** Every key of the account that is not revoked: a plan allows few. */
export const apiKeysQuery = queryOptions({
  queryKey: ['api-keys'],
  // When a key was last used is told by no event: it is asked whenever the list is opened.
  staleTime: 0,
  queryFn: ({ signal }) => Array.fromAsync(gateway.apiKeys.list({ limit: 200, signal })),
});

/** What the gateway has stored is what is shown. */
export function showApiKey(key: ApiKey): void {
  showStored(apiKeysQuery.queryKey, (all) => withStored(all, key, ({ id }) => id));
}

export const forgetApiKey = (id: string): void => {
  showStored(apiKeysQuery.queryKey, (all) => all?.filter((key) => key.id !== id));
};
