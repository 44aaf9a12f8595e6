import { type InfiniteData, infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Conversation, ConversationFilter, Page } from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';
import { queryClient } from '../../gateway/query-client.ts';
import { withLatestStatus } from '../message-progress.ts';
import { changePages } from '../pages.ts';

const pageSize = 100;
const key = ['conversations'] as const;
const listsKey = [...key, 'list'] as const;

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
    queryFn: ({ pageParam, signal }) =>
      gateway.conversations.list(filter, { limit: pageSize, signal }).page(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    select: withLastStatus,
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

const listed = (id: string) => findListed(({ conversationId }) => conversationId === id);

/** The conversation of a number with a phone number, an alias or a group, where a list has it. */
export const listedChat = (numberId: string, peer: string) =>
  findListed(
    ({ contact, group, ...one }) =>
      one.numberId === numberId && [contact?.phoneNumber, contact?.lid, group?.groupId].includes(peer),
  );

function findListed(isIt: (conversation: Conversation) => boolean): Conversation | undefined {
  for (const [, pages] of queryClient.getQueriesData<Pages>({ queryKey: listsKey })) {
    for (const page of pages?.pages ?? []) {
      const found = page.data.find(isIt);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** Whether a list shows it, as far as that can be told here: words are the gateway's to find. */
function fits(conversation: Conversation, filter: ConversationFilter, ownId: string): boolean {
  const { status, assignee, team, label, numberId, priority, waiting } = filter;
  const wanted = assignee === 'me' ? ownId : assignee === 'none' ? null : assignee;
  return (
    (status === undefined || conversation.status === status) &&
    (wanted === undefined || conversation.assigneeId === wanted) &&
    (team === undefined || conversation.teamId === (team === 'none' ? null : team)) &&
    (label === undefined || conversation.labels.includes(label)) &&
    (numberId === undefined || conversation.numberId === numberId) &&
    (priority === undefined || conversation.priority === priority) &&
    (waiting === undefined || conversation.waitingSince !== null)
  );
}

/** What the gateway has stored is what is shown: in the chat, and in each list that it belongs to, else no more. */
export function showConversation(conversation: Conversation, ownId: string): void {
  const { conversationId } = conversation;
  queryClient.setQueryData(conversationQuery(conversationId).queryKey, conversation);
  for (const [queryKey, pages] of queryClient.getQueriesData<Pages>({ queryKey: listsKey })) {
    if (pages === undefined) continue;
    const filter = queryKey[2] as ConversationFilter;
    const isListed = pages.pages.some(({ data }) =>
      data.some((one) => one.conversationId === conversationId),
    );
    if (!isListed) continue;
    const stays = fits(conversation, filter, ownId);
    queryClient.setQueryData<Pages>(queryKey, {
      ...pages,
      pages: pages.pages.map((page) => ({
        ...page,
        data: page.data.flatMap((one) =>
          one.conversationId !== conversationId ? [one] : stays ? [conversation] : [],
        ),
      })),
    });
  }
}

/** Changes what is known of a conversation, where it is known. */
export function patchConversation(
  conversationId: string,
  changes: Partial<Conversation>,
  ownId: string,
): void {
  const known =
    queryClient.getQueryData(conversationQuery(conversationId).queryKey) ?? listed(conversationId);
  if (known !== undefined) showConversation({ ...known, ...changes }, ownId);
}

/** Shows how far the last messages of conversations have come, as events have told. */
export function moveLastMessages(): void {
  queryClient.setQueriesData<Pages>({ queryKey: listsKey }, (shown) => shown && withLastStatus(shown));
}

/** What moved is at the top of a list, newest first: that is asked for, and the rest of what is shown stays. */
export async function refreshLists(): Promise<void> {
  const lists = queryClient
    .getQueryCache()
    .findAll({ queryKey: listsKey, type: 'active' })
    .map(({ queryKey }) => queryKey);
  // What nobody looks at is asked for when somebody does.
  void queryClient.invalidateQueries({ queryKey: listsKey, type: 'inactive', refetchType: 'none' });
  await Promise.all(lists.map((queryKey) => refreshList(queryKey)));
}

async function refreshList(queryKey: readonly unknown[]): Promise<void> {
  const filter = queryKey[2] as ConversationFilter;
  const shown = queryClient.getQueryData<Pages>(queryKey);
  if (shown === undefined || filter.sort === 'waiting') {
    await queryClient.invalidateQueries({ queryKey });
    return;
  }
  const moved = await movedSince(filter, shown);
  if (moved === null) {
    await queryClient.invalidateQueries({ queryKey });
    return;
  }
  const { fresh, isJoined } = moved;
  for (const conversation of fresh.data) {
    const { queryKey: own } = conversationQuery(conversation.conversationId);
    if (queryClient.getQueryData(own) !== undefined) queryClient.setQueryData(own, conversation);
  }
  queryClient.setQueryData<Pages>(queryKey, (now) => {
    const first = now?.pages[0];
    if (now === undefined || first === undefined) return now;
    const isFresh = new Set(fresh.data.map(({ conversationId }) => conversationId));
    // All of it, or more than was shown: what it does not have is gone, or comes with the next page.
    if (fresh.nextCursor === null || !isJoined) return { pages: [fresh], pageParams: [undefined] };
    const rest = now.pages.map((page) => ({
      ...page,
      data: page.data.filter(({ conversationId }) => !isFresh.has(conversationId)),
    }));
    const [second, ...others] = rest;
    if (second === undefined) return now;
    return { ...now, pages: [{ ...second, data: [...fresh.data, ...second.data] }, ...others] };
  });
}

/** Pages that are read of what has moved; where it was more, the list is read anew. */
const movedPagesMax = 20;

/**
 * The top of a list, down to where it is as it was shown: as many pages as conversations have moved. `isJoined`: below it
 * stands what is shown. Null: too many have moved.
 */
async function movedSince(
  filter: ConversationFilter,
  shown: Pages,
): Promise<{ fresh: Page<Conversation>; isJoined: boolean } | null> {
  const known = new Map(
    shown.pages.flatMap(({ data }) =>
      data.map(({ conversationId, lastMessage }) => [conversationId, lastMessage?.messageId]),
    ),
  );
  const list = gateway.conversations.list(filter, { limit: pageSize });
  const data: Conversation[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < movedPagesMax; pages += 1) {
    const page = await list.page(cursor);
    data.push(...page.data);
    const last = page.data.at(-1);
    const isJoined =
      last !== undefined &&
      known.has(last.conversationId) &&
      known.get(last.conversationId) === last.lastMessage?.messageId;
    if (page.nextCursor === null || isJoined || data.length > known.size)
      return { fresh: { ...page, data }, isJoined };
    cursor = page.nextCursor;
  }
  return null;
}

/** What is said of it elsewhere, such as the name of its contact, is asked for anew. */
export async function conversationOutdated(conversationId: string): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: conversationQuery(conversationId).queryKey });
  await refreshLists();
}
