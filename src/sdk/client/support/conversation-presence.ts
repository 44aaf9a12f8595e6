import type { StreamEvent } from '../api-types.ts';
import { framesOfStream } from '../event-source.ts';
import { Resource } from '../resource.ts';
import type { CallOptions } from '../transport.ts';

/** Who looks at which conversation: each that is named as it is now. After `until` nobody is there any more. */
export interface PresenceFrame {
  conversations: {
    conversationId: string;
    people: { userId: string; name: string; state: 'viewing' | 'typing'; until: string }[];
    /** Who writes an answer; others wait. */
    lockedBy: string | null;
  }[];
  online: string[];
}

export type LiveConversationItem =
  | { kind: 'event'; event: StreamEvent }
  | { kind: 'presence'; presence: PresenceFrame };

export interface LiveConversationOptions {
  /** Behind which event, or `now`; left out: from the oldest that is kept. */
  after?: string;
  signal: AbortSignal;
  onOpen?: () => void;
}

/** Conversations as people work at them at the same time. Takes the token of a person. */
export class ConversationPresence extends Resource {
  /** Tells colleagues who looks at it. Repeat it every 20 seconds while it is so. */
  show(
    conversationId: string,
    state: 'viewing' | 'typing' | 'left',
    options: CallOptions = {},
  ): Promise<PresenceFrame> {
    return this.ask('POST', [conversationId, 'viewing'], options, { state });
  }

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
        : { kind: 'event', event: data as StreamEvent };
    }
  }
}
