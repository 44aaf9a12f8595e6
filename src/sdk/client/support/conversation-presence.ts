import { framesOfStream } from '../developers/event-source.ts';
import type {
  Conversation,
  ConversationChat,
  ConversationCounts,
  PresenceFrame,
  StreamEvent,
} from '../generated/api-types.ts';
import { Resource } from '../http/resource.ts';

/** An event, and what it has changed, as it is now. Where `shown` is left out, ask; what is left out of it is as it was. */
export type LiveConversationEvent = StreamEvent & {
  shown?: {
    item?: Extract<ConversationChat['data'][number], { kind: 'message' }>;
    conversation?: Conversation;
    /** Now and then. */
    counts?: ConversationCounts;
    /** They have written a word by which people opt out, or in again. */
    isOptOutWord?: true;
  };
};

export type LiveConversationItem =
  | { kind: 'event'; event: LiveConversationEvent }
  | { kind: 'presence'; presence: PresenceFrame };

export interface LiveConversationOptions {
  /** Behind which event, or `now`; left out: from the oldest that is kept. */
  after?: string;
  signal: AbortSignal;
  onOpen?: () => void;
}

/** Conversations as people work at them at the same time; `conversations.view` says where you are. Takes the token of a person. */
export class ConversationPresence extends Resource {
  /** What happens in conversations, and who looks at which, over one connection. It ends when the connection does. */
  async *live({
    after,
    signal,
    onOpen,
  }: LiveConversationOptions): AsyncGenerator<LiveConversationItem, void, undefined> {
    const stream = await this.open(['live'], { query: { after }, signal });
    onOpen?.();
    for await (const { name, data } of framesOfStream(stream)) {
      yield name === 'presence'
        ? { kind: 'presence', presence: data as PresenceFrame }
        : { kind: 'event', event: data as LiveConversationEvent };
    }
  }
}
