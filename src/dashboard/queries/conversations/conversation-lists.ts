import { type InfiniteData, infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Conversation, ConversationCounts, ConversationFilter, Page } from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';
import { queryClient } from '../../gateway/query-client.ts';
import { withLatestStatus } from '../message-progress.ts';
import { byPage, changePages, patchShown } from '../pages.ts';
import { isSearch, listWith } from './told-lists.ts';

const pageSize = 100;
const key = ['conversations'] as const;
const listsKey = [...key, 'list'] as const;

const filterOf = (queryKey: readonly unknown[]) => queryKey[2] as ConversationFilter;

type Pages = InfiniteData<Page<Conversation>, string | undefined>;

const upToLastStatus = (conversation: Conversation): Conversation => {
  const lastMessage = conversation.lastMessage && withLatestStatus(conversation.lastMessage);
  return lastMessage === conversation.lastMessage ? conversation : { ...conversation, lastMessage };
};

/** The same function each time: then it runs for new answers alone. */
const withLastStatus = (shown: Pages): Pages => changePages(shown, upToLastStatus);

export const conversationsQuery = (filter: ConversationFilter) =>
  infiniteQueryOptions({
    queryKey: [...listsKey, filter],
    ...byPage((signal) => gateway.conversations.list(filter, { limit: pageSize, signal })),
    select: withLastStatus,
  });

/** The last conversations with people and groups of such a name or number. */
export const foundConversationsQuery = (q: string) =>
  queryOptions({
    queryKey: [...key, 'found', q],
    queryFn: async ({ signal }) =>
      (await gateway.conversations.list({ q }, { limit: 5, signal }).page()).data,
    staleTime: 30_000,
  });

export const conversationQuery = (conversationId: string) =>
  queryOptions({
    queryKey: [...key, 'one', conversationId],
    queryFn: ({ signal }) => gateway.conversations.get(conversationId, { signal }),
    placeholderData: () => listed(conversationId),
  });

export const countsQuery = queryOptions({
  queryKey: [...key, 'counts'],
  queryFn: ({ signal }) => gateway.conversations.counts({ signal }),
});

/** Who works in the inbox, and the numbers that it speaks through. */
export const inboxPeopleQuery = queryOptions({
  queryKey: [...key, 'people'],
  queryFn: ({ signal }) => gateway.conversations.people({ signal }),
});

function listed(id: string): Conversation | undefined {
  for (const [, pages] of queryClient.getQueriesData<Pages>({ queryKey: listsKey })) {
    for (const page of pages?.pages ?? []) {
      const found = page.data.find(({ conversationId }) => conversationId === id);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** Conversations as they are now: in the chat, and in each list where they stand in it, else no more. */
export function showConversations(told: readonly Conversation[], ownId: string): void {
  if (told.length === 0) return;
  for (const conversation of told) {
    const { queryKey } = conversationQuery(conversation.conversationId);
    patchShown<Conversation>({ queryKey }, () => conversation);
  }
  patchShown<Pages>({ queryKey: listsKey }, (shown, queryKey) =>
    listWith(shown, filterOf(queryKey), told, ownId),
  );
}

/** Changes what is known of a conversation, where it is known. */
export function patchConversation(
  conversationId: string,
  changes: Partial<Conversation>,
  ownId: string,
): void {
  const known =
    queryClient.getQueryData(conversationQuery(conversationId).queryKey) ?? listed(conversationId);
  if (known !== undefined) showConversations([{ ...known, ...changes }], ownId);
}

export const showCounts = (counts: ConversationCounts) =>
  patchShown<ConversationCounts>({ queryKey: countsQuery.queryKey }, () => counts);

/** Shows how far the last messages of conversations have come, as events have told. */
export const moveLastMessages = () => patchShown<Pages>({ queryKey: listsKey }, withLastStatus);

/** Lists of what was searched for are asked for anew. */
export const searchesOutdated = () =>
  queryClient.invalidateQueries({
    queryKey: listsKey,
    predicate: ({ queryKey }) => isSearch(filterOf(queryKey)),
  });

/** What is said of conversations elsewhere, such as the names of their contacts, is asked for anew. */
export const conversationsOutdated = () =>
  queryClient.invalidateQueries({
    queryKey: key,
    predicate: ({ queryKey: [, kind] }) => kind === 'list' || kind === 'one',
  });
