import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { AuditLog, Invitation, Member, Page, SessionList, TwoFactor } from '../../sdk/index.ts';
import { gateway } from '../gateway/client.ts';
import { queryClient } from '../gateway/query-client.ts';
import { byPage } from './pages.ts';

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => gateway.account({ signal }),
  refetchOnMount: 'always',
});

const optOutsKey = ['optOuts'] as const;

/** Who does not want to be written to, newest first. */
export const optOutsQuery = infiniteQueryOptions({
  queryKey: optOutsKey,
  ...byPage((signal) => gateway.optOuts.list({ limit: 50, signal })),
  refetchOnMount: 'always',
});

export const optOutsChanged = () => queryClient.invalidateQueries({ queryKey: optOutsKey });

export const usageQuery = queryOptions({
  queryKey: ['usage'],
  queryFn: ({ signal }) => gateway.usage({ signal }),
});

const peopleKey = ['people'] as const;

/** Every item of the list at this path, in as many pages as it takes. */
async function everyItem<Item>(path: string, signal: AbortSignal): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const query = { limit: 200, cursor };
    const page = await gateway.request<Page<Item>>({ method: 'GET', path, query, signal });
    items.push(...page.data);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return items;
}

export const sessionsQuery = queryOptions({
  queryKey: [...peopleKey, 'sessions'],
  queryFn: ({ signal }) => everyItem<SessionList['data'][number]>('/v1/auth/sessions', signal),
  refetchOnMount: 'always',
});

export const twoFactorQuery = queryOptions({
  queryKey: [...peopleKey, 'twoFactor'],
  queryFn: ({ signal }) => gateway.request<TwoFactor>({ method: 'GET', path: '/v1/auth/two-factor', signal }),
});

export const membersQuery = queryOptions({
  queryKey: [...peopleKey, 'members'],
  queryFn: ({ signal }) => everyItem<Member>('/v1/auth/members', signal),
  refetchOnMount: 'always',
});

export const invitationsQuery = queryOptions({
  queryKey: [...peopleKey, 'invitations'],
  queryFn: ({ signal }) => everyItem<Invitation>('/v1/auth/invitations', signal),
  refetchOnMount: 'always',
});

export const auditLogQuery = infiniteQueryOptions({
  queryKey: [...peopleKey, 'auditLog'],
  queryFn: ({ pageParam, signal }) =>
    gateway.request<AuditLog>({
      method: 'GET',
      path: '/v1/audit-log',
      query: { limit: 50, cursor: pageParam ?? undefined },
      signal,
    }),
  initialPageParam: null as string | null,
  getNextPageParam: ({ nextCursor }) => nextCursor,
  refetchOnMount: 'always',
});

export const peopleChanged = () => queryClient.invalidateQueries({ queryKey: peopleKey });
