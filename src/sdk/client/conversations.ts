import { framesOfStream } from './events.ts';
import type {
  AcceptedMessage,
  AnswerConversationRequest,
  BeginConversationRequest,
  Contact,
  Conversation,
  ConversationActivityList,
  ConversationChat,
  ConversationCounts,
  ConversationNote,
  ConversationPeople,
  FoundMessageList,
  PresenceFrame,
  ScheduledMessages,
  ShowTypingInConversationRequest,
  StreamEvent,
  UpdateConversationRequest,
  ViewConversationRequest,
} from './generated/api-types.ts';
import type { List } from './http/list.ts';
import { type ListOptions, Resource } from './http/resource.ts';
import type { CallOptions } from './http/transport.ts';
import { type SendOptions, underOneKey } from './messaging/messages.ts';

export interface ConversationFilter {
  /** One, or several with commas between them. */
  status?: string;
  /** `me`, `none`, or the id of a person. */
  assignee?: string;
  /** `none`, or the id of a team. */
  team?: string;
  label?: string;
  numberId?: string;
  priority?: Conversation['priority'];
  /** Where somebody has answered this campaign. */
  campaignId?: string;
  /** Beginnings of words in names, or of the phone number. */
  q?: string;
  waiting?: boolean;
  mentioned?: 'me';
  /** `waiting`: who has waited longest first, and only those who wait. */
  sort?: 'newest' | 'waiting';
}

type ChatItem = ConversationChat['data'][number];
type Activity = ConversationActivityList['data'][number];
type FoundMessage = FoundMessageList['data'][number];

/** What people work at. Takes a token, also that of an agent. */
export class Conversations extends Resource {
  list({ waiting, ...filter }: ConversationFilter = {}, options: ListOptions = {}): List<Conversation> {
    const further = waiting === undefined ? {} : { waiting: `${waiting}` };
    return this.listOf([], options, { ...filter, ...further });
  }

  get(id: string, options: CallOptions = {}): Promise<Conversation> {
    return this.ask('GET', [id], options);
  }

  /** The one with somebody, or a new one. Nothing is sent. */
  begin(chat: BeginConversationRequest, options: CallOptions = {}): Promise<Conversation> {
    return this.ask('POST', [], options, chat);
  }

  update(id: string, changes: UpdateConversationRequest, options: CallOptions = {}): Promise<Conversation> {
    return this.ask('PATCH', [id], options, changes);
  }

  counts(options: CallOptions = {}): Promise<ConversationCounts> {
    return this.ask('GET', ['counts'], options);
  }

  /** The names of people and numbers. */
  people(options: CallOptions = {}): Promise<ConversationPeople> {
    return this.ask('GET', ['people'], options);
  }

  /** Messages with these words, and where they stand. */
  search(q: string, filter: { numberId?: string } = {}, options: ListOptions = {}): List<FoundMessage> {
    return this.listOf(['search'], options, { q, ...filter });
  }

  /**
   * Messages and notes, newest first, or in the other `order`; `after`: the `cursor` of an item, for what is newer; `until`:
   * before that time.
   */
  messages(
    id: string,
    filter: { after?: string; until?: string; order?: 'newest' | 'oldest' } = {},
    options: ListOptions = {},
  ): List<ChatItem> {
    return this.listOf([id, 'messages'], options, { ...filter });
  }

  /** Sends an answer. It goes out once, however often the call had to be repeated. */
  answer(
    id: string,
    message: Exclude<AnswerConversationRequest, { note: true }>,
    options: SendOptions = {},
  ): Promise<AcceptedMessage> {
    return this.ask('POST', [id, 'messages'], underOneKey(options), message);
  }

  /** A private note; `@Name` in it tells that person. It is added once, however often the call had to be repeated. */
  note(id: string, text: string, options: SendOptions = {}): Promise<ConversationNote> {
    return this.ask('POST', [id, 'messages'], underOneKey(options), { note: true, text });
  }

  /** What waits for its `sendAt`. */
  scheduled(id: string, options: CallOptions = {}): Promise<ScheduledMessages> {
    return this.ask('GET', [id, 'scheduled'], options);
  }

  cancelScheduled(id: string, messageId: string, options: CallOptions = {}): Promise<void> {
    return this.ask('DELETE', [id, 'scheduled', messageId], options);
  }

  /** Who is on the other side; of a group, and of somebody whose contact was deleted, there is none (404). */
  contact(id: string, options: CallOptions = {}): Promise<Contact> {
    return this.ask('GET', [id, 'contact'], options);
  }

  /** Who did what. */
  activity(id: string, options: ListOptions = {}): List<Activity> {
    return this.listOf([id, 'activity'], options);
  }

  markRead(id: string, options: CallOptions = {}): Promise<void> {
    return this.ask('POST', [id, 'read'], options);
  }

  /** Says that you look at it (every 20 seconds), type in it (every 5), or have left it; who is in it now. */
  view(
    id: string,
    state: ViewConversationRequest['state'],
    options: CallOptions = {},
  ): Promise<PresenceFrame> {
    return this.ask('POST', [id, 'viewing'], options, { state });
  }

  showTyping(
    id: string,
    state: ShowTypingInConversationRequest['state'],
    options: CallOptions = {},
  ): Promise<void> {
    return this.ask('POST', [id, 'typing'], options, { state });
  }
}

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
