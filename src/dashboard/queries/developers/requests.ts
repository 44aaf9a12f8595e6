import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { RequestFilter } from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';
import { byPage } from '../pages.ts';

const key = ['requests'] as const;
const pageSize = 50;

/** No event tells of a request: what was asked is asked anew with each look, and when somebody wants it. */
export const requestsQuery = (filter: RequestFilter) =>
  infiniteQueryOptions({
    queryKey: [...key, 'list', filter],
    ...byPage((signal) => gateway.requests.list(filter, { limit: pageSize, signal })),
    refetchOnMount: 'always',
  });

export const requestErrorsQuery = (keyId: string | undefined) =>
  queryOptions({
    queryKey: [...key, 'errors', keyId],
    queryFn: ({ signal }) => gateway.requests.errors(keyId === undefined ? {} : { keyId }, { signal }),
    refetchOnMount: 'always',
  });

export const requestQuery = (requestId: string) =>
  queryOptions({
    queryKey: [...key, 'one', requestId],
    queryFn: ({ signal }) => gateway.requests.get(requestId, { signal }),
  });
