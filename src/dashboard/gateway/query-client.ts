import { QueryClient } from '@tanstack/react-query';

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
