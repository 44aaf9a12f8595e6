import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { gateway } from '../../gateway/client.ts';
import { queryClient } from '../../gateway/query-client.ts';

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => gateway.account({ signal }),
  refetchOnMount: 'always',
});

const optOutsKey = ['optOuts'] as const;

/** Who does not want to be written to, newest first. */
export const optOutsQuery = infiniteQueryOptions({
  queryKey: optOutsKey,
  queryFn: ({ pageParam, signal }) =>
    gateway.optOuts.list({ limit: 50, ...(pageParam !== null && { cursor: pageParam }), signal }).page(),
  initialPageParam: null as string | null,
  getNextPageParam: ({ nextCursor }) => nextCursor,
  refetchOnMount: 'always',
});

export const optOutsChanged = () => queryClient.invalidateQueries({ queryKey: optOutsKey });

export const usageQuery = queryOptions({
  queryKey: ['usage'],
  queryFn: ({ signal }) => gateway.usage({ signal }),
});
