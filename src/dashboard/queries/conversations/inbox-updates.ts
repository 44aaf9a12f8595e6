import type { PresenceFrame, StreamEvent } from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';
import { inboxLive, presenceFrames } from '../../gateway/live.ts';
import { queryClient } from '../../gateway/query-client.ts';
import { recordChange, recordStep } from '../message-progress.ts';
import { contactOutdated, detailsOutdated } from './conversation-details.ts';
import { addMessage, isShown, loadNewItems, moveItems, refreshMessage } from './conversation-items.ts';
import {
  conversationQuery,
  countsQuery,
  moveLastMessages,
  patchConversation,
  refreshLists,
} from './conversation-lists.ts';
import { typingEnded } from './presence.ts';

/** Under a stream of events the same is asked for at most this often. */
const askAgainMs = 400;

/** The chat that is on screen, and whose messages are its own. */
export interface OpenChat {
  conversationId: string;
  isOf: (chat: { numberId: string; people: readonly string[] }) => boolean;
}
let openChat: OpenChat | null = null;

export function openChatIs(chat: OpenChat): () => void {
  openChat = chat;
  return () => {
    if (openChat === chat) openChat = null;
  };
}

/** Runs soon, and once however often it was asked for; again behind a run that is under way. */
function gathered(work: () => Promise<unknown>): () => void {
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
    setTimeout(() => void run(), askAgainMs);
  };
  return ask;
}

const listsMoved = gathered(refreshLists);
const countsMoved = gathered(() => queryClient.invalidateQueries({ queryKey: countsQuery.queryKey }));
const chatMoved = gathered(async () => {
  if (openChat === null) return;
  const { conversationId } = openChat;
  const { queryKey } = conversationQuery(conversationId);
  await Promise.all([
    loadNewItems(conversationId),
    queryClient.invalidateQueries({ queryKey }),
    // What they wrote may have been that they want no more.
    contactOutdated(conversationId),
  ]);
});

/** Under a stream of steps what is shown moves at most this often. */
const moveEveryMs = 100;
let isMoving = false;

function messagesMoved(): void {
  if (isMoving) return;
  isMoving = true;
  setTimeout(() => {
    isMoving = false;
    moveItems();
    moveLastMessages();
  }, moveEveryMs);
}

/** Keeps the inbox true to what happens. Returns what ends it. */
export function followInbox(ownId: string): () => void {
  inboxLive.start();
  presenceFrames.add(takeNotes);
  const endEvents = inboxLive.onEvent((event) => take(event, ownId));
  const endGap = inboxLive.onGap(() => {
    void queryClient.invalidateQueries({ queryKey: ['conversations'] });
    void queryClient.invalidateQueries({ queryKey: ['conversation-items'] });
    void queryClient.invalidateQueries({ queryKey: ['conversation-details'] });
  });
  // Notes that were written while the stream was broken stand in no event.
  const endReturn = inboxLive.onReturn(() => {
    chatMoved();
    countsMoved();
    if (openChat !== null) void detailsOutdated(openChat.conversationId);
  });
  return () => {
    endEvents();
    endGap();
    endReturn();
    presenceFrames.delete(takeNotes);
    inboxLive.stop();
  };
}

/** No event tells of notes. */
function takeNotes({ conversations }: PresenceFrame): void {
  const noted = conversations.filter(({ hasNote }) => hasNote === true);
  const here = noted.find(({ conversationId }) => conversationId === openChat?.conversationId);
  if (here !== undefined) {
    chatMoved();
    // Whoever is named in it has it before them.
    if (document.visibilityState === 'visible') {
      void gateway.conversations.markRead(here.conversationId).then(countsMoved, () => {});
    }
  }
  // Somebody may be named in it.
  if (noted.length > 0) countsMoved();
}

function take(event: StreamEvent, ownId: string): void {
  const { data } = event;
  if (event.event.startsWith('conversation.') && 'conversationId' in data) {
    const { conversationId, changes = {} } = data as { conversationId: string; changes?: object };
    patchConversation(conversationId, changes, ownId);
    void detailsOutdated(conversationId);
    if (openChat?.conversationId === conversationId) chatMoved();
    listsMoved();
    countsMoved();
    return;
  }
  if (event.event === 'contact.updated') listsMoved();
  if (!('messageId' in data)) return;
  const isNew =
    event.event === 'message.received' ||
    event.event === 'message.queued' ||
    event.event === 'message.sent_from_phone';
  if (isNew) {
    listsMoved();
    countsMoved();
    if (openChat?.isOf(chatOf(data))) {
      if (event.event === 'message.received') typingEnded(openChat.conversationId);
      // By its id: it may be older than what is shown.
      void addMessage(openChat.conversationId, data.messageId).catch(() => {});
      chatMoved();
    }
    return;
  }
  if (recordStep(event)) {
    messagesMoved();
    if (event.event === 'message.failed' || event.event === 'message.sent') listsMoved();
    if (openChat !== null && event.event !== 'message.delivered' && event.event !== 'message.read')
      chatMoved();
    return;
  }
  recordChange(data.messageId);
  if (isShown(data.messageId)) void refreshMessage(data.messageId).catch(() => {});
  if (event.event === 'message.edited' || event.event === 'message.deleted') listsMoved();
}

/** Everything in an event that may name its chat: digits of a phone number or an alias, or a group's id. */
function chatOf(data: object): { numberId: string; people: readonly string[] } {
  const { numberId = '', from, to, groupId, senderLid } = data as Record<string, string | undefined>;
  const people = groupId === undefined ? [from, to, senderLid] : [groupId];
  return { numberId, people: people.filter((one) => one !== undefined) };
}
