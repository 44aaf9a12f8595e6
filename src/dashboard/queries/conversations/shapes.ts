import type {
  AnswerConversationRequest,
  ConversationActivityList,
  ConversationChat,
  FoundMessageList,
} from '../../../sdk/index.ts';

/** A message, or a note between the messages. */
export type ChatItem = ConversationChat['data'][number];
export type Activity = ConversationActivityList['data'][number];
export type FoundMessage = FoundMessageList['data'][number];
/** What is sent, without the recipient. */
export type Answer = Exclude<AnswerConversationRequest, { note: true }>;
