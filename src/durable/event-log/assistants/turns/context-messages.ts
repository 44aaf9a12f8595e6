import type { MessageContent } from '../../../../contract/messages/content.ts';
import { cutText } from '../../../../contract/texts/text.ts';
import { fieldsOf, insertRow, type RowOf, rowOf, Tables } from '../../../storage/rows.ts';
import type { ContactRows } from '../../contacts/contact-rows.ts';
import type { Conversation } from '../../conversations/conversation.ts';
import { wordsForModel } from '../../messages/content-words.ts';
import {
  idsPerMs,
  type LoggedMessage,
  loggedMessage,
  type StoredMessage,
} from '../../messages/logged-message.ts';
import type { ContextMessage } from './turn-orders.ts';
import type { Turn } from './turn-rows.ts';

/** Messages that a model gets as they are; those before are in a summary. */
const shownMax = 20;
/** Messages before those that are read for the summary. */
const beforeMax = 60;
/** Rows of one address that are looked at: others are of the account's other numbers. */
const lookedAtMax = 300;
const textCharactersMax = 4_000;

/** The messages of a conversation as an assistant may know them. */
export class ContextMessages extends Tables {
  readonly #contacts: ContactRows;

  constructor(sql: SqlStorage, contacts: ContactRows) {
    super(sql);
    this.#contacts = contacts;
  }

  /** Both parts oldest first, none from before `since`. */
  since(
    conversation: Conversation,
    since: number,
    { toAnswer, begunAt }: Pick<Turn, 'toAnswer' | 'begunAt'>,
  ): { shown: ContextMessage[]; before: ContextMessage[] } {
    // The network dates in whole seconds: what it brought after an answer may be dated before it, but not before its turn.
    const placeOf = ({ id }: LoggedMessage) =>
      toAnswer.includes(id) ? Math.max(id, begunAt * idsPerMs) : id;
    const rows = this.#contacts
      .digitsOf(conversation)
      .flatMap((peer) => this.#of(peer, conversation.numberId, since))
      .sort((a, b) => placeOf(b) - placeOf(a) || b.id - a.id)
      .slice(0, shownMax + beforeMax)
      .map(contextMessage);
    return { shown: rows.slice(0, shownMax).reverse(), before: rows.slice(shownMax).reverse() };
  }

  #of(peer: string, numberId: string, since: number): LoggedMessage[] {
    const query = 'SELECT * FROM messages WHERE peer = ? AND id >= ? ORDER BY id DESC LIMIT ?';
    return this.queryAll<StoredMessage>(query, peer, since, lookedAtMax)
      .filter((row) => row.number_id === numberId && row.chat_type === 'personal' && row.status !== 'failed')
      .map(loggedMessage)
      .filter(({ deletedAt }) => deletedAt === null);
  }
}

function contextMessage(message: LoggedMessage): ContextMessage {
  const isInbound = message.direction === 'inbound';
  const isAssistants = !isInbound && message.origin?.kind === 'assistant';
  return {
    id: message.id,
    from: isInbound ? 'contact' : isAssistants ? 'assistant' : 'business',
    text: cutText(wordsForModel(message.content), textCharactersMax),
    at: isInbound ? message.receivedAt : message.queuedAt,
    ...(isInbound && pictureOf(message.content)),
  };
}

/** A file that has come whole; what may be seen once is nobody's to keep looking at. */
function pictureOf(content: MessageContent): { picture?: { mediaId: string } } {
  if (content.type !== 'image' || content.viewOnce === true) return {};
  const { mediaId, status } = content.media;
  return status === undefined || status === 'ready' ? { picture: { mediaId } } : {};
}

/** What an assistant knows of a conversation that it takes part in. */
export interface Memory {
  conversationId: string;
  assistantId: string;
  /** The first message that it knows of, by its id in `messages`. */
  since: number;
  /** Tokens that this conversation has used. */
  tokens: number;
  isIntroduced: boolean;
  /** Of the messages from `since` up to `summarisedTo`. */
  summary: string | null;
  summarisedTo: number | null;
}

type SameInRow = Omit<Memory, 'isIntroduced'>;
type Row = RowOf<SameInRow> & { is_introduced: number };

/** The table of memories. Call what writes inside a transaction. */
export class Memories extends Tables {
  find(conversationId: string): Memory | null {
    const row = this.queryFirst<Row>(
      'SELECT * FROM assistant_memories WHERE conversation_id = ?',
      conversationId,
    );
    if (row === undefined) return null;
    const { is_introduced, ...others } = row;
    return { ...fieldsOf<SameInRow>(others), isIntroduced: is_introduced === 1 };
  }

  /** What this assistant knows of it; null where another one has come in meanwhile, too. */
  findOf(conversationId: string, assistantId: string): Memory | null {
    const memory = this.find(conversationId);
    return memory?.assistantId === assistantId ? memory : null;
  }

  put({ isIntroduced, ...fields }: Memory): void {
    const row = { ...rowOf<SameInRow>(fields), is_introduced: isIntroduced ? 1 : 0 };
    insertRow(this.sql, 'INSERT OR REPLACE INTO assistant_memories', row);
  }

  forget(conversationId: string): void {
    this.sql.exec('DELETE FROM assistant_memories WHERE conversation_id = ?', conversationId);
  }
}
