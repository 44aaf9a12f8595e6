import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Conversation } from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';
import { queryClient } from '../../gateway/query-client.ts';
import { byPage } from '../pages.ts';

const key = ['conversation-details'] as const;

export const activityQuery = (conversationId: string) =>
  queryOptions({
    queryKey: [...key, conversationId, 'activity'],
    queryFn: ({ signal }) => gateway.conversations.activity(conversationId, { limit: 100, signal }).page(),
    staleTime: 0,
  });

export const scheduledQuery = (conversationId: string) =>
  queryOptions({
    queryKey: [...key, conversationId, 'scheduled'],
    queryFn: async ({ signal }) => {
      const { data } = await gateway.conversations.scheduled(conversationId, { signal });
      return data;
    },
    staleTime: 0,
  });

/** Who is on the other side; nobody is asked for where that is a group, or where the contact was deleted. */
export const chatContactQuery = ({
  conversationId,
  contact,
}: Pick<Conversation, 'conversationId' | 'contact'>) =>
  queryOptions({
    queryKey: [...key, conversationId, 'contact'],
    queryFn: ({ signal }) => gateway.conversations.contact(conversationId, { signal }),
    enabled: typeof contact?.contactId === 'string',
    staleTime: 0,
  });

type Detail = 'activity' | 'scheduled' | 'contact' | 'assistant';

/** What was done to a conversation, what waits in it, who it is with: all of it, or one of these, is asked for anew. */
export const detailsOutdated = (conversationId: string, ...detail: [] | [Detail]) =>
  queryClient.invalidateQueries({ queryKey: [...key, conversationId, ...detail] });

/** Messages with these words, over all conversations. */
export const foundMessagesQuery = (q: string, numberId: string | undefined) =>
  infiniteQueryOptions({
    queryKey: [...key, 'search', q, numberId],
    ...byPage((signal) =>
      gateway.conversations.search(q, { ...(numberId !== undefined && { numberId }) }, { limit: 50, signal }),
    ),
    staleTime: 30_000,
  });

export const teamsQuery = queryOptions({
  queryKey: [...key, 'teams'],
  queryFn: ({ signal }) => Array.fromAsync(gateway.teams.list({ limit: 200, signal })),
  staleTime: 60_000,
});
export const labelsQuery = queryOptions({
  queryKey: [...key, 'labels'],
  queryFn: ({ signal }) => Array.fromAsync(gateway.labels.list({ limit: 200, signal })),
  staleTime: 60_000,
});
export const cannedRepliesQuery = queryOptions({
  queryKey: [...key, 'canned'],
  queryFn: ({ signal }) => Array.fromAsync(gateway.cannedReplies.list({ limit: 200, signal })),
  staleTime: 60_000,
});

/** An answer is made within seconds, and no event tells when it begins. */
const answeringMs = 3_000;

/** How assistants stand in a conversation; outdated as its details are. */
export const standingQuery = (conversationId: string) =>
  queryOptions({
    queryKey: [...key, conversationId, 'assistant'],
    queryFn: ({ signal }) => gateway.conversationAssistants.get(conversationId, { signal }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.isAnswering === true ? answeringMs : false),
  });

/** How an assistant came to a message. It is over once there is a message, so it stays as it is. */
export const answerQuery = (conversationId: string, turnId: string) =>
  queryOptions({
    queryKey: ['conversation-answers', conversationId, turnId],
    queryFn: ({ signal }) => gateway.conversationAssistants.run(conversationId, turnId, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

/** Teams, labels or canned replies are others now. */
export async function inboxSettingsChanged(): Promise<void> {
  const keys = [teamsQuery, labelsQuery, cannedRepliesQuery].map(({ queryKey }) => queryKey);
  await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}
