import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Automation } from '../../sdk/index.ts';
import { gateway } from '../gateway/client.ts';
import { changed, queryClient, showStored } from '../gateway/query-client.ts';
import { byPage } from './pages.ts';

const key = ['automations'] as const;

/** Every automation of the account, in their order: there are few. */
export const automationsQuery = queryOptions({
  queryKey: [...key, 'all'],
  // Others of the account change them, and no event says so.
  staleTime: 0,
  queryFn: ({ signal }) => Array.fromAsync(gateway.automations.list({ limit: 200, signal })),
});

export const automationQuery = (id: string) =>
  queryOptions({
    queryKey: [...key, 'one', id],
    queryFn: ({ signal }) => gateway.automations.get(id, { signal }),
    placeholderData: () =>
      queryClient.getQueryData(automationsQuery.queryKey)?.find(({ automationId }) => automationId === id),
  });

/** What is under way comes to its end by then. */
const lookAgainMs = 3_000;

/** Newest first, page by page; asked for again for as long as something waits. */
export const automationRunsQuery = (id: string, ran: boolean | undefined) =>
  infiniteQueryOptions({
    queryKey: [...key, 'runs', id, ran ?? 'all'],
    refetchOnMount: 'always',
    ...byPage((signal) =>
      gateway.automations.runs(id, ran === undefined ? {} : { ran }, { limit: 30, signal }),
    ),
    refetchInterval: ({ state }) => {
      const runs = state.data?.pages.flatMap(({ data }) => data) ?? [];
      return runs.some(({ actions }) => actions?.some((one) => one.state === 'pending')) && lookAgainMs;
    },
  });

export const automationsChanged = (deletedId?: string) => changed(key, deletedId);

/** What the gateway has stored is what is shown, in the list as on its page. */
export function showAutomation(automation: Automation): void {
  showStored(automationQuery(automation.automationId).queryKey, automation);
  showStored(automationsQuery.queryKey, (all) =>
    all?.map((one) => (one.automationId === automation.automationId ? automation : one)),
  );
}
