import type { InfiniteData } from '@tanstack/react-query';
import type {
  AnswerConversationRequest,
  ConversationActivityList,
  ConversationChat,
  FoundMessageList,
  Page,
} from '../../../sdk/index.ts';
import { replaceInPages } from '../pages.ts';

/** A message, or a note between the messages. */
export type ChatItem = ConversationChat['data'][number];
export type Activity = ConversationActivityList['data'][number];
export type FoundMessage = FoundMessageList['data'][number];
/** What is sent, without the recipient. */
export type Answer = Exclude<AnswerConversationRequest, { note: true }>;

export const idOf = (item: ChatItem): string =>
  item.kind === 'message' ? item.message.messageId : item.note.noteId;

/** When it was written, for whoever looks at the chat. */
export function timeOf(item: ChatItem): string {
  if (item.kind === 'note') return item.note.createdAt;
  const { receivedAt, sentAt, queuedAt } = item.message;
  return receivedAt ?? queuedAt ?? sentAt ?? '';
}

/** What came in one second stays in the gateway's order. */
export const newestFirst = (a: ChatItem, b: ChatItem): number => {
  const [first, second] = [timeOf(a), timeOf(b)];
  return first === second ? 0 : first < second ? 1 : -1;
};

/** A chat with an item where it stands; where it is shown already, as it is now. */
export const withItem = <Place>(shown: InfiniteData<Page<ChatItem>, Place>, item: ChatItem) =>
  replaceInPages(shown, (one) => idOf(one) === idOf(item), [item], newestFirst);
