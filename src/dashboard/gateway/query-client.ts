import { QueryClient, type QueryKey } from '@tanstack/react-query';

/**
 * What was asked stays true until an event says otherwise (live.ts), so nothing is asked again by the clock. The SDK
 * repeats what failed on the way.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: Number.POSITIVE_INFINITY, retry: false, refetchOnWindowFocus: false },
    mutations: { retry: false },
  },
});

/**
 * What is under this key has changed. `deletedId`: this one is gone, so what belongs to it alone is not asked for again,
 * though its page may still be shown for a moment.
 */
export const changed = (queryKey: QueryKey, deletedId?: string) =>
  queryClient.invalidateQueries({
    queryKey,
    predicate: (query) => deletedId === undefined || !query.queryKey.includes(deletedId),
  });
