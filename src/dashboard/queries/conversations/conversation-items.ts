import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryFilters,
  queryOptions,
} from '@tanstack/react-query';
import type { ConversationNote, Message, Page } from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';
import { queryClient } from '../../gateway/query-client.ts';
import { withLatestStep } from '../message-progress.ts';
import { changePages, patchShown } from '../pages.ts';
import { type ChatItem, idOf, newestFirst, timeOf, withItem } from './chat-items.ts';
import { OwnSends } from './own-sends.ts';

const pageSize = 100;
const key = ['conversation-items'] as const;

/** Where a page begins: at the newest, behind a time, older than a cursor or newer than one. */
type Place = { older: string } | { newer: ChatItem } | { until: string } | null;
type Pages = InfiniteData<Page<ChatItem>, Place>;

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
  const page = await gateway.conversations.messages(conversationId, filter, options).page(cursor);
  return { ...page, data: page.data.toSorted(newestFirst) };
}

export const messageOfChatQuery = (messageId: string) =>
  queryOptions({
    queryKey: [...key, 'message', messageId],
    queryFn: ({ signal }) => gateway.messages.get(messageId, { signal }),
  });

/** Of what was added here, until the gateway has said its place. */
const noCursor = '';
/** An event tells of what was accepted within this, or whoever has sent it asks. */
const toldWithinMs = 1_000;

function isTold(messageId: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const look = () => isShown(messageId) && resolve(true);
  look();
  const timer = setTimeout(() => resolve(false), toldWithinMs);
  const end = queryClient.getQueryCache().subscribe(look);
  return promise.finally(() => {
    clearTimeout(timer);
    end();
  });
}

/** Shows a message that was just accepted. */
export async function addMessage(conversationId: string, messageId: string): Promise<void> {
  if (await isTold(messageId)) return;
  const message = await gateway.messages.get(messageId);
  if (!isShown(messageId)) addItem(conversationId, { kind: 'message', message, cursor: noCursor });
}

/** Shows a note that was just written. */
export function addNote(conversationId: string, note: ConversationNote): void {
  if (!isShown(note.noteId)) addItem(conversationId, { kind: 'note', note, cursor: noCursor });
}

/** Puts an item into its chat, as far as that was asked for; where it is shown already, as it is now. */
function addItem(conversationId: string, item: ChatItem): void {
  patchShown<Pages>({ queryKey: itemsQuery(conversationId, null).queryKey }, (shown) =>
    withItem(shown, item),
  );
}

export const ownSends = new OwnSends(addItem);

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

const ofChats: QueryFilters = { queryKey: key, predicate: ({ queryKey }) => queryKey[1] !== 'message' };

const changeItems = (change: (item: ChatItem) => ChatItem) =>
  patchShown<Pages>(ofChats, (shown) => changePages(shown, change));

const isShown = (id: string): boolean =>
  queryClient
    .getQueriesData<Pages>(ofChats)
    .some(([, shown]) => shown?.pages.some(({ data }) => data.some((item) => idOf(item) === id)));

/** Asks for a message anew, where no event tells of what is wanted of it. */
export async function refreshMessage(messageId: string): Promise<void> {
  patchItem(messageId, await gateway.messages.get(messageId));
}

/** What stands in chats is asked for anew. */
export const itemsOutdated = () => queryClient.invalidateQueries({ queryKey: key });
