import type { ArchiveReader } from '../../archive/archive-reader.ts';
import type { PastReader } from '../../archive/archived-pasts.ts';
import type { ContactRows } from '../../contacts/contact-rows.ts';
import type { LoggedMessage } from '../../messages/logged-message.ts';
import type { Chat, MessageList } from '../../messages/reading/message-list.ts';
import type { ChatAddress } from '../conversation.ts';
import { type ConversationNotes, type Note, type NoteRow, noteOf } from '../notes.ts';

/** What stands in a chat, at its place: a message, or a note between them. */
export type ChatItem =
  | { kind: 'message'; id: number; message: LoggedMessage }
  | { kind: 'note'; id: number; note: Note };

/** A page of a chat, newest first. */
export interface ChatPage {
  items: ChatItem[];
  /** Below this the next page goes on; null at the end. */
  nextBefore: number | null;
}

/** The same, oldest first. */
export interface ChatPageUpwards {
  items: ChatItem[];
  /** Above this the next page goes on; null at the end. */
  nextAfter: number | null;
}

/** The messages of a chat with the notes between them. */
export class ChatPages {
  readonly #list: MessageList;
  readonly #notes: ConversationNotes;
  readonly #archive: ArchiveReader;
  readonly #pasts: PastReader;
  readonly #contacts: ContactRows;

  constructor(
    list: MessageList,
    notes: ConversationNotes,
    archive: ArchiveReader,
    pasts: PastReader,
    contacts: ContactRows,
  ) {
    this.#list = list;
    this.#notes = notes;
    this.#archive = archive;
    this.#pasts = pasts;
    this.#contacts = contacts;
  }

  /** Between two places, newest first; archived ones too where no lower bound is given. */
  async page(
    conversation: ChatAddress & { conversationId: string },
    { limit, before, after }: { limit: number; before: number | null; after: number | null },
  ): Promise<ChatPage> {
    const filter = {
      chat: this.#chatOf(conversation),
      ...(after !== null && { since: Math.floor(after / 1000) }),
    };
    const local = this.#list.page(filter, limit, before);
    const found = after === null ? await this.#archive.complete(local, { filter, limit, before }) : local;
    const { nextBefore } = found;
    const messages = found.messages.map(
      (message): ChatItem => ({ kind: 'message', id: message.id, message }),
    );
    // Notes that are older than the messages of this page come with a later one.
    const from = Math.max(after === null ? 0 : after + 1, nextBefore ?? 0);
    const { conversationId } = conversation;
    const asked = { below: before ?? Number.MAX_SAFE_INTEGER, downTo: from, limit: limit + 1 };
    const kept = this.#notes.before(conversationId, asked.below, asked.limit);
    const known = await this.#pasts.complete(conversationId, 'note', kept, asked, (row) =>
      noteOf(row as unknown as NoteRow),
    );
    const notes = known
      .filter(({ id }) => id >= from)
      .map((note): ChatItem => ({ kind: 'note', id: note.id, note }));
    const all = [...messages.filter(({ id }) => after === null || id > after), ...notes].toSorted(
      (a, b) => b.id - a.id,
    );
    const items = all.slice(0, limit);
    if (all.length > limit) return { items, nextBefore: items.at(-1)?.id ?? null };
    return { items, nextBefore };
  }

  /** Above a place, oldest first, and below another one where that is given; archived ones too. */
  async upwards(
    conversation: ChatAddress & { conversationId: string },
    { limit, after, below }: { limit: number; after: number; below: number | null },
  ): Promise<ChatPageUpwards> {
    const chat = this.#chatOf(conversation);
    const { conversationId } = conversation;
    const asked = { after, limit: limit + 1 };
    const local = this.#list.upwards(chat, asked.limit, after);
    const keptNotes = this.#notes.after(conversationId, after, asked.limit);
    const [archived, notes] = await Promise.all([
      this.#archive.upwards(chat, asked.limit, after),
      this.#pasts.upwards(conversationId, 'note', keptNotes, asked, (row) =>
        noteOf(row as unknown as NoteRow),
      ),
    ]);
    const knownTo = Math.min(
      local.knownTo ?? Number.MAX_SAFE_INTEGER,
      archived.knownTo ?? Number.MAX_SAFE_INTEGER,
    );
    // What was archived since the others were read stands in both.
    const messages = new Map(
      [...archived.messages, ...local.messages].map((message) => [message.messageId, message]),
    );
    const all = [
      ...[...messages.values()].map((message): ChatItem => ({ kind: 'message', id: message.id, message })),
      ...notes.map((note): ChatItem => ({ kind: 'note', id: note.id, note })),
    ]
      .filter(({ id }) => id <= knownTo && id < (below ?? Number.MAX_SAFE_INTEGER))
      .toSorted((a, b) => a.id - b.id);
    const items = all.slice(0, limit);
    if (all.length > limit) return { items, nextAfter: items.at(-1)?.id ?? null };
    const isEnd = knownTo >= (below ?? Number.MAX_SAFE_INTEGER) - 1;
    return { items, nextAfter: isEnd ? null : knownTo };
  }

  /** What waits for its time, the next one first. */
  scheduled(conversation: ChatAddress, now: number): LoggedMessage[] {
    const filter = { chat: this.#chatOf(conversation), status: 'queued' } as const;
    const { messages } = this.#list.page(filter, 200, null);
    const timeOf = (message: LoggedMessage) => (message.direction === 'outbound' ? (message.sendAt ?? 0) : 0);
    return messages.filter((message) => timeOf(message) > now).toSorted((a, b) => timeOf(a) - timeOf(b));
  }

  #chatOf(address: ChatAddress): Chat {
    const { numberId, groupId } = address;
    return groupId === null
      ? { numberId, chatType: 'personal', peers: this.#contacts.digitsOf(address) }
      : { numberId, chatType: 'group', peers: [groupId] };
  }
}
