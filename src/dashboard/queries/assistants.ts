import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Assistant, AssistantRun } from '../../sdk/index.ts';
import { gateway } from '../gateway/client.ts';
import { changed, queryClient, showStored } from '../gateway/query-client.ts';
import { byPage } from './pages.ts';

const key = ['assistants'] as const;

/** Every assistant of the account: there are few. */
export const assistantsQuery = queryOptions({
  queryKey: [...key, 'all'],
  staleTime: 0,
  queryFn: ({ signal }) => Array.fromAsync(gateway.assistants.list({ limit: 200, signal })),
});

export const assistantQuery = (id: string) =>
  queryOptions({
    queryKey: [...key, 'one', id],
    queryFn: ({ signal }) => gateway.assistants.get(id, { signal }),
    placeholderData: () =>
      queryClient.getQueryData(assistantsQuery.queryKey)?.find(({ assistantId }) => assistantId === id),
  });

/** While a document is being read, no event tells when it was. */
const readingMs = 1_500;

export const documentsQuery = (assistantId: string) =>
  queryOptions({
    queryKey: [...key, 'documents', assistantId],
    staleTime: 0,
    queryFn: ({ signal }) =>
      Array.fromAsync(gateway.assistants.documents(assistantId, { limit: 200, signal })),
    refetchInterval: ({ state }) => (state.data?.some((it) => it.state === 'pending') ? readingMs : false),
  });

export const passagesQuery = (assistantId: string, words: string) =>
  queryOptions({
    queryKey: [...key, 'passages', assistantId, words],
    enabled: words.trim() !== '',
    queryFn: async ({ signal }) => (await gateway.assistants.search(assistantId, words, { signal })).data,
  });

/** New ones come as customers write: they are asked for once in a while. */
const runsMs = 10_000;

export const runsQuery = (assistantId: string, outcome: AssistantRun['outcome'] | null) =>
  infiniteQueryOptions({
    queryKey: [...key, 'runs', assistantId, outcome],
    refetchInterval: runsMs,
    ...byPage((signal) =>
      gateway.assistants.runs(assistantId, outcome === null ? {} : { outcome }, { limit: 50, signal }),
    ),
  });

export const instructionsQuery = (assistantId: string) =>
  infiniteQueryOptions({
    queryKey: [...key, 'instructions', assistantId],
    staleTime: 0,
    ...byPage((signal) => gateway.assistants.instructions(assistantId, { limit: 50, signal })),
  });

export const reportQuery = (assistantId: string) =>
  queryOptions({
    queryKey: [...key, 'report', assistantId],
    refetchInterval: runsMs,
    queryFn: ({ signal }) => gateway.assistants.report(assistantId, 30, { signal }),
  });

/** What the gateway has stored is what is shown. */
export function showAssistant(assistant: Assistant): void {
  showStored(assistantQuery(assistant.assistantId).queryKey, assistant);
  void queryClient.invalidateQueries({ queryKey: assistantsQuery.queryKey });
}

export const documentsChanged = (assistantId: string) => {
  void queryClient.invalidateQueries({ queryKey: [...key, 'documents', assistantId] });
  void queryClient.invalidateQueries({ queryKey: [...key, 'passages', assistantId] });
  void queryClient.invalidateQueries({ queryKey: [...key, 'one', assistantId] });
};

export const assistantsChanged = (deletedId?: string) => changed(key, deletedId);
