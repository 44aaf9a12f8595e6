import type { Conversation, LiveConversationEvent, PresenceFrame } from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';
import { inboxLive, presenceFrames } from '../../gateway/live.ts';
import { queryClient } from '../../gateway/query-client.ts';
import { recordStep } from '../message-progress.ts';
import { detailsOutdated } from './conversation-details.ts';
import { itemsOutdated, moveItems, ownSends, patchItem } from './conversation-items.ts';
import {
  conversationsOutdated,
  countsQuery,
  moveLastMessages,
  searchesOutdated,
  showConversations,
  showCounts,
} from './conversation-lists.ts';
import { typingEnded } from './presence.ts';

/** Under a stream of events the same is asked for at most this often. */
const askAgainMs = 400;

/** The chat that is on screen. */
let openChat: string | null = null;

export function openChatIs(conversationId: string): () => void {
  openChat = conversationId;
  return () => {
    if (openChat === conversationId) openChat = null;
  };
}

/** Runs soon, and once however often it was asked for; again behind a run that is under way. */
function gathered(work: () => Promise<unknown>, waitMs = askAgainMs): () => void {
  let isWaiting = false;
  let isRunning = false;
  const run = async () => {
    isWaiting = false;
    if (isRunning) return ask();
    isRunning = true;
    await work().catch(() => {});
    isRunning = false;
  };
  const ask = () => {
    if (isWaiting) return;
    isWaiting = true;
    setTimeout(() => void run(), waitMs);
  };
  return ask;
}

const listsMoved = gathered(conversationsOutdated);
const searchesMoved = gathered(searchesOutdated);
// They are told about once a second: somebody who is told of something else has the latest in a moment.
const countsMoved = gathered(() => queryClient.invalidateQueries({ queryKey: countsQuery.queryKey }), 1_000);

/** What is shown may not be true any more: all of it is asked for anew. */
const allMoved = gathered(() =>
  Promise.all([
    conversationsOutdated(),
    queryClient.invalidateQueries({ queryKey: countsQuery.queryKey }),
    itemsOutdated(),
    openChat === null ? undefined : detailsOutdated(openChat),
  ]),
);

/** Under a stream of events what is shown moves at most this often. */
const showEveryMs = 100;
/** Conversations as events have told of them, until they are shown. */
const told = new Map<string, Conversation>();
let isShowing = false;

function showSoon(ownId: string): void {
  if (isShowing) return;
  isShowing = true;
  setTimeout(() => {
    isShowing = false;
    const conversations = [...told.values()];
    told.clear();
    showConversations(conversations, ownId);
    moveItems();
    moveLastMessages();
  }, showEveryMs);
}

/** Keeps the inbox true to what happens. Returns what ends it. */
export function followInbox(ownId: string): () => void {
  inboxLive.start();
  const showNotes = (frame: PresenceFrame) => notesCame(frame, ownId);
  presenceFrames.add(showNotes);
  const endEvents = inboxLive.onEvent((event) => apply(event, ownId));
  const endGap = inboxLive.onGap(() => {
    void queryClient.invalidateQueries({ queryKey: ['conversations'] });
    void itemsOutdated();
    void queryClient.invalidateQueries({ queryKey: ['conversation-details'] });
  });
  // Notes that were written while the stream was broken stand in no event.
  const endReturn = inboxLive.onReturn(allMoved);
  return () => {
    endEvents();
    endGap();
    endReturn();
    presenceFrames.delete(showNotes);
    inboxLive.stop();
  };
}

/** No event tells of notes. */
function notesCame({ conversations }: PresenceFrame, ownId: string): void {
  for (const { conversationId, hasNote, item } of conversations) {
    if (hasNote !== true) continue;
    if (item === undefined) {
      allMoved();
      continue;
    }
    ownSends.told(conversationId, item, ownId);
    if (!item.note.mentions.includes(ownId)) continue;
    searchesMoved();
    // Whoever is named in it has it before them.
    const isBefore = conversationId === openChat && document.visibilityState === 'visible';
    const read = isBefore ? gateway.conversations.markRead(conversationId) : Promise.resolve();
    void read.then(countsMoved, () => {});
  }
}

const newMessages: readonly string[] = ['message.received', 'message.queued', 'message.sent_from_phone'];

function apply(event: LiveConversationEvent, ownId: string): void {
  const { event: name, shown } = event;
  const isStep = recordStep(event);
  if (isStep) showSoon(ownId);
  if (name === 'message.delivered' || name === 'message.read') return;
  if (name === 'contact.updated' || shown === undefined) {
    (name === 'contact.updated' ? listsMoved : allMoved)();
    return;
  }
  const { item, conversation, counts, isOptOutWord } = shown;
  const isNew = newMessages.includes(name);
  if (item !== undefined) {
    if (isNew && conversation !== undefined) ownSends.told(conversation.conversationId, item, ownId);
    else patchItem(item.message.messageId, item.message);
  }
  if (conversation === undefined) return;
  const { conversationId, botState } = conversation;
  told.set(conversationId, conversation);
  showSoon(ownId);
  searchesMoved();
  if (counts !== undefined) showCounts(counts);
  else if (isCounted(event)) countsMoved();
  if (name === 'message.received') typingEnded(conversationId);
  // What has come of their words is known a moment later.
  if (isOptOutWord) setTimeout(() => void detailsOutdated(conversationId, 'contact'), askAgainMs);
  if (isStep || typeof item?.message.sendAt === 'string') void detailsOutdated(conversationId, 'scheduled');
  if (isNew && botState === 'active') void detailsOutdated(conversationId, 'assistant');
  if (name === 'conversation.updated') doneTo(conversationId, event.data.changes);
}

type Changes = Extract<LiveConversationEvent, { event: 'conversation.updated' }>['data']['changes'];

/** Whether it may have changed how many conversations there are of each kind, mentions included. */
function isCounted({ event, data }: LiveConversationEvent): boolean {
  if (event !== 'conversation.updated' || Object.keys(data.changes).join() !== 'unreadCount') return true;
  return queryClient.getQueryData(countsQuery.queryKey)?.mentioned !== 0;
}

/** Who did what, and whose turn it is, is told by no event. */
function doneTo(conversationId: string, { unreadCount, sla, snoozedUntil, ...done }: Changes): void {
  if (Object.keys(done).length > 0) void detailsOutdated(conversationId, 'activity');
  if ('botState' in done) void detailsOutdated(conversationId, 'assistant');
}
