import { type InfiniteData, infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Message, Page } from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';
import { queryClient } from '../../gateway/query-client.ts';
import { changesSoFar, isChangedSince, withLatestStep } from '../message-progress.ts';
import { changePages } from '../pages.ts';
import type { ChatItem } from './shapes.ts';

const pageSize = 100;
const key = ['conversation-items'] as const;

/** Where a page begins: at the newest, behind a time, older than a cursor or newer than one. */
type Place = { older: string } | { newer: ChatItem } | { until: string } | null;
type Pages = InfiniteData<Page<ChatItem>, Place>;

export const idOf = (item: ChatItem): string =>
  item.kind === 'message' ? item.message.messageId : item.note.noteId;

/** When it was written, for whoever looks at the chat. */
export function timeOf(item: ChatItem): string {
  if (item.kind === 'note') return item.note.createdAt;
  const { receivedAt, sentAt, queuedAt } = item.message;
  return receivedAt ?? queuedAt ?? sentAt ?? '';
}

/** What came in one second stays in the gateway's order. */
const newestFirst = (a: ChatItem, b: ChatItem): number => {
  const [first, second] = [timeOf(a), timeOf(b)];
  return first === second ? 0 : first < second ? 1 : -1;
};

const upToStepOfItem = (item: ChatItem): ChatItem => {
  if (item.kind === 'note') return item;
  const message = withLatestStep(item.message);
  return message === item.message ? item : { ...item, message };
};

/** The same function each time: then it runs for new answers alone. */
const withSteps = (shown: Pages): Pages => changePages(shown, upToStepOfItem);

/** Messages and notes of a chat, newest first: from the newest on, or (`until`) around a time, from where both ways go on. */
export const itemsQuery = (conversationId: string, until: string | null) =>
  infiniteQueryOptions({
    queryKey: [...key, conversationId, until],
    queryFn: ({ pageParam, signal }) => pageOf(conversationId, pageParam, signal),
    initialPageParam: (until === null ? null : { until }) as Place,
    getNextPageParam: ({ nextCursor }): Place | undefined =>
      nextCursor === null ? undefined : { older: nextCursor },
    getPreviousPageParam: (page): Place | undefined => {
      const newest = page.data[0];
      // The window that begins at the newest grows by what events tell of.
      return until === null || newest === undefined || isEnd(page) ? undefined : { newer: newest };
    },
    select: withSteps,
  });

/** Pages that reach up to the present: behind them nothing is to be asked for. */
const ends = new WeakSet<Page<ChatItem>>();
const isEnd = (page: Page<ChatItem>) => ends.has(page);

async function pageOf(conversationId: string, place: Place, signal?: AbortSignal): Promise<Page<ChatItem>> {
  if (place !== null && 'newer' in place) return newerPage(conversationId, place.newer, signal);
  const cursor = place !== null && 'older' in place ? place.older : undefined;
  return asked(conversationId, place !== null && 'until' in place ? place : {}, cursor, signal);
}

const firstStepMs = 24 * 3_600_000;
const stepMsMin = 1_000;
const stepFactor = 8;

/** The items next to one, towards the present: the gateway answers from the newest on, so the time is narrowed to a page. */
async function newerPage(conversationId: string, item: ChatItem, signal?: AbortSignal) {
  let stepMs = firstStepMs;
  for (;;) {
    const until = Date.parse(timeOf(item)) + stepMs;
    const isNow = until > Date.now();
    const filter = { after: item.cursor, ...(!isNow && { until: new Date(until).toISOString() }) };
    const page = await asked(conversationId, filter, undefined, signal);
    if (page.nextCursor !== null && stepMs > stepMsMin) stepMs /= stepFactor;
    else if (page.data.length === 0 && !isNow) stepMs *= stepFactor;
    else {
      // What lies before it is known already.
      const found = { data: page.data, nextCursor: null };
      if (isNow) ends.add(found);
      return found;
    }
  }
}

async function asked(
  conversationId: string,
  filter: { after?: string; until?: string },
  cursor: string | undefined,
  signal: AbortSignal | undefined,
): Promise<Page<ChatItem>> {
  const options = { limit: pageSize, ...(signal && { signal }) };
  const changeCount = changesSoFar();
  const page = await gateway.conversations.messages(conversationId, filter, options).page(cursor);
  const data = await Promise.all(page.data.map((item) => unlessChanged(item, changeCount)));
  return { ...page, data: data.toSorted(newestFirst) };
}

/** Asks anew for a message that something was done to while the answer was on its way. */
async function unlessChanged(item: ChatItem, changeCount: number): Promise<ChatItem> {
  if (item.kind === 'note' || !isChangedSince(item.message.messageId, changeCount)) return item;
  return { ...item, message: await currentMessage(item.message.messageId) };
}

async function currentMessage(messageId: string): Promise<Message> {
  for (;;) {
    const changeCount = changesSoFar();
    const message = await gateway.messages.get(messageId);
    if (!isChangedSince(messageId, changeCount)) return message;
  }
}

export const messageOfChatQuery = (messageId: string) =>
  queryOptions({
    queryKey: [...key, 'message', messageId],
    queryFn: ({ signal }) => gateway.messages.get(messageId, { signal }),
  });

/** Of what was added here, until the gateway has said its place. */
const noCursor = '';
/** So many items are asked for once more. */
const overlap = 20;

/** Puts what is newer than what is shown at the end of the chat. */
export async function loadNewItems(conversationId: string): Promise<void> {
  const { queryKey } = itemsQuery(conversationId, null);
  const shown = queryClient.getQueryData<Pages>(queryKey);
  if (shown === undefined) return;
  // What somebody writes is placed by their own clock, in whole seconds: it may stand before what was last seen here.
  const placed = shown.pages[0]?.data.filter(({ cursor }) => cursor !== noCursor) ?? [];
  const from = placed[Math.min(overlap, placed.length - 1)];
  if (from === undefined) {
    await queryClient.invalidateQueries({ queryKey });
    return;
  }
  const { data, nextCursor } = await asked(conversationId, { after: from.cursor }, undefined, undefined);
  // More than a page is new: begin again.
  if (nextCursor !== null) await queryClient.resetQueries({ queryKey });
  else if (data.length > 0) putInFront(conversationId, data);
}

/** Shows a message that was just accepted. */
export async function addMessage(conversationId: string, messageId: string): Promise<void> {
  const message = await currentMessage(messageId);
  putInFront(conversationId, [{ kind: 'message', message, cursor: noCursor }]);
}

function putInFront(conversationId: string, data: readonly ChatItem[]): void {
  queryClient.setQueryData<Pages>(itemsQuery(conversationId, null).queryKey, (now) => {
    const [first, ...others] = now?.pages ?? [];
    if (now === undefined || first === undefined) return now;
    const placed = new Set(first.data.filter(({ cursor }) => cursor !== noCursor).map(idOf));
    const fresh = data.filter((item) => !placed.has(idOf(item)));
    const isFresh = new Set(fresh.map(idOf));
    const rest = first.data.filter((item) => !isFresh.has(idOf(item)));
    const all = [...fresh, ...rest].toSorted(newestFirst);
    return { ...now, pages: [{ ...first, data: all }, ...others] };
  });
}

/** Changes a message in every chat that shows it. */
export function patchItem(messageId: string, changes: Partial<Message>): void {
  changeItems((item) =>
    item.kind === 'message' && item.message.messageId === messageId
      ? { ...item, message: { ...item.message, ...changes } }
      : item,
  );
}

/** Shows how far messages have come, as events have told. */
export const moveItems = (): void => changeItems(upToStepOfItem);

function changeItems(change: (item: ChatItem) => ChatItem): void {
  queryClient.setQueriesData<Pages>(
    { queryKey: key, predicate: ({ queryKey }) => queryKey[1] !== 'message' },
    (shown) => shown && changePages(shown, change),
  );
}

/** Whether a chat that somebody looks at shows it. */
export function isShown(messageId: string): boolean {
  return queryClient
    .getQueriesData<Pages>({ queryKey: key, type: 'active' })
    .some(([queryKey, shown]) =>
      queryKey[1] === 'message'
        ? false
        : (shown?.pages ?? []).some((page) => page.data.some((item) => idOf(item) === messageId)),
    );
}

/** Asks for a message anew: what was done to it is more than its event tells. */
export async function refreshMessage(messageId: string): Promise<void> {
  patchItem(messageId, await currentMessage(messageId));
}
