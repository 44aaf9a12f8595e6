import { type InfiniteData, infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Message, MessageFilter, Page, StreamEvent } from '../../sdk/index.ts';
import { gateway } from '../gateway/client.ts';
import { queryClient } from '../gateway/query-client.ts';

const messagesKey = ['messages'] as const;
const pageSize = 200;

type Pages = InfiniteData<Page<Message>, string | undefined>;

/** Messages behind a filter, newest first, a page at a time. */
export const messagesQuery = (filter: MessageFilter) =>
  infiniteQueryOptions({
    queryKey: [...messagesKey, 'list', filter],
    queryFn: ({ pageParam, signal }) =>
      gateway.messages.list(filter, { limit: pageSize, signal }).page(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });

export const messageQuery = (messageId: string) =>
  queryOptions({
    queryKey: [...messagesKey, 'one', messageId],
    queryFn: ({ signal }) => gateway.messages.get(messageId, { signal }),
  });

/** Its steps, its events, and what became of each at every webhook. */
export const messageTimelineQuery = (messageId: string) =>
  queryOptions({
    queryKey: [...messagesKey, 'timeline', messageId],
    queryFn: ({ signal }) => gateway.messages.timeline(messageId, { signal }),
    // Attempts are told by no event.
    staleTime: 0,
  });

/** Puts what is new in front of what is shown. Asks for one page, however many there are. */
export async function loadNewMessages(filter: MessageFilter): Promise<void> {
  const { queryKey } = messagesQuery(filter);
  const { data: newest } = await gateway.messages.list(filter, { limit: pageSize }).page();
  const shown = queryClient.getQueryData(queryKey);
  const known = new Set(shown?.pages[0]?.data.map(({ messageId }) => messageId));
  const fresh = newest.filter(({ messageId }) => !known.has(messageId));
  if (shown === undefined || known.size === 0) return queryClient.invalidateQueries({ queryKey });
  // More than a page is new: begin again.
  if (fresh.length === newest.length) return queryClient.resetQueries({ queryKey });
  queryClient.setQueryData(queryKey, (now = shown) => {
    const [first, ...rest] = now.pages;
    if (first === undefined) return now;
    return { ...now, pages: [{ ...first, data: [...fresh, ...first.data] }, ...rest] };
  });
}

/** What events have said of messages, until the next time that it is shown. */
const told = new Map<string, Partial<Message>>();
let isWaiting = false;
const showEveryMs = 200;

/** Moves a message on as an event says, in every list that shows it and on its own page. */
export function moveMessage({ event, data, timestamp }: StreamEvent): void {
  if (!('messageId' in data) || event === 'message.received') return;
  const changes: Partial<Message> = {};
  if ('status' in data) changes.status = data.status;
  if (event === 'message.sent') changes.sentAt = data.sentAt;
  if (event === 'message.delivered' || event === 'message.read') changes.deliveredAt = data.deliveredAt;
  if (event === 'message.read') changes.readAt = data.readAt;
  if (event === 'message.failed') {
    Object.assign(changes, { failedAt: timestamp, errorMessage: data.errorMessage });
  }
  told.set(data.messageId, { ...told.get(data.messageId), ...changes });
  if (!isWaiting) setTimeout(show, showEveryMs);
  isWaiting = true;
}

function show(): void {
  isWaiting = false;
  const news = new Map(told);
  told.clear();
  const moved = (message: Message): Message => {
    const changes = news.get(message.messageId);
    return changes === undefined ? message : { ...message, ...changes };
  };
  queryClient.setQueriesData<Pages>({ queryKey: [...messagesKey, 'list'] }, (shown) => {
    if (shown === undefined) return shown;
    const pages = shown.pages.map((page) =>
      page.data.some(({ messageId }) => news.has(messageId)) ? { ...page, data: page.data.map(moved) } : page,
    );
    return { ...shown, pages };
  });
  for (const messageId of news.keys()) {
    void queryClient.invalidateQueries({ queryKey: [...messagesKey, 'one', messageId] });
    void queryClient.invalidateQueries({ queryKey: [...messagesKey, 'timeline', messageId] });
  }
}
