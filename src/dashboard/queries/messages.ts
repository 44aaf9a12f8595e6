import { type InfiniteData, infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Message, MessageFilter, Page, StreamEvent } from '../../sdk/index.ts';
import { gateway } from '../gateway/client.ts';
import { queryClient } from '../gateway/query-client.ts';
import { recordStep, withLatestStep } from './message-progress.ts';
import { byPage, changePages } from './pages.ts';

const messagesKey = ['messages'] as const;
const pageSize = 200;

type Pages = InfiniteData<Page<Message>, string | undefined>;

/** The same function each time: then it runs for new answers alone. */
const withSteps = (shown: Pages): Pages => changePages(shown, withLatestStep);

/** Messages behind a filter, newest first, a page at a time. */
export const messagesQuery = (filter: MessageFilter) =>
  infiniteQueryOptions({
    queryKey: [...messagesKey, 'list', filter],
    ...byPage((signal) => gateway.messages.list(filter, { limit: pageSize, signal })),
    select: withSteps,
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

/** Messages that events have told of, until the next time that they are shown. */
const told = new Set<string>();
let isWaiting = false;
const showEveryMs = 200;

/** Moves a message on as an event says, in every list that shows it and on its own page. */
export function moveMessage(event: StreamEvent): void {
  if (!('messageId' in event.data) || event.event === 'message.received') return;
  recordStep(event);
  told.add(event.data.messageId);
  if (!isWaiting) setTimeout(show, showEveryMs);
  isWaiting = true;
}

function show(): void {
  isWaiting = false;
  const messageIds = [...told];
  told.clear();
  queryClient.setQueriesData<Pages>(
    { queryKey: [...messagesKey, 'list'] },
    (shown) => shown && withSteps(shown),
  );
  for (const messageId of messageIds) {
    void queryClient.invalidateQueries({ queryKey: [...messagesKey, 'one', messageId] });
    void queryClient.invalidateQueries({ queryKey: [...messagesKey, 'timeline', messageId] });
  }
}
