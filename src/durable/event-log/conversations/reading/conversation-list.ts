import { hasLabel } from '../../../../contract/contacts/contact.ts';
import {
  type ConversationStatus,
  conversationStatuses,
  type Priority,
} from '../../../../contract/conversations/conversation.ts';
import { phrasesOf } from '../../../search-terms.ts';
import { merged } from '../../../storage/merged.ts';
import { Tables } from '../../../storage/rows.ts';
import type { ContactSearch } from '../../contacts/contact-search.ts';
import type { AnsweredMessage, Conversation } from '../conversation.ts';
import { type ConversationRow, conversationOf } from '../rows/conversation-row.ts';
import type { ConversationPlace, ConversationRows } from '../rows/conversation-rows.ts';
import { GroupWords } from '../rows/group-words.ts';

/** Which conversations are looked for: those that all of it is true of. */
export interface ConversationFilter {
  statuses?: readonly ConversationStatus[] | undefined;
  /** Null: nobody's. */
  assigneeId?: string | null | undefined;
  teamId?: string | null | undefined;
  label?: string | undefined;
  numberId?: string | undefined;
  priority?: Priority | undefined;
  /** They wait with an answer to this campaign. */
  campaignId?: string | undefined;
  /** Words, each the beginning of one in a name of the contact, its phone number, or the group's subject. */
  q?: string | undefined;
  /** Somebody waits for an answer. */
  isWaiting?: boolean | undefined;
  /** This person was named in a note, and has not read it. */
  mentionedId?: string | undefined;
  /** Numbers that are not for whoever asks. */
  hiddenNumberIds: readonly string[];
}

export interface ConversationQuery extends ConversationFilter {
  /** The newest activity first, or those who have waited longest; then only those who wait. */
  sort: 'newest' | 'waiting';
  limit: number;
  after: Place | null;
}

/** Where a page ends: what it is sorted by, and the conversation. */
export interface Place {
  at: number;
  conversationId: string;
}

interface ConversationPage {
  conversations: Conversation[];
  /** Where the next page goes on; null at the end. */
  next: Place | null;
}

/** Rows that are read for one page at most: a page may be short, and goes on behind its cursor. */
const rowsReadMax = 1_000;
/** Contacts whose names fit, of whom the conversations are looked for. */
const contactsMax = 100;
const end: Place = { at: Number.MAX_SAFE_INTEGER, conversationId: '\uffff' };

/** Lists conversations, along an index whatever is asked for: a page costs the same, however many there are. */
export class ConversationList extends Tables {
  readonly #rows: ConversationRows;
  readonly #contacts: ContactSearch;
  readonly #groupWords: GroupWords;

  constructor(sql: SqlStorage, rows: ConversationRows, contacts: ContactSearch) {
    super(sql);
    this.#rows = rows;
    this.#contacts = contacts;
    this.#groupWords = new GroupWords(sql);
  }

  page(query: ConversationQuery): ConversationPage {
    const found: Conversation[] = [];
    let last: Place | null = null;
    let read = 0;
    for (const row of this.#candidates(query)) {
      if (read === rowsReadMax) return { conversations: found, next: last };
      read += 1;
      if (matches(query, row)) {
        if (found.length === query.limit) return { conversations: found, next: last };
        found.push(conversationOf(row));
      }
      last = placeOf(query, row);
    }
    return { conversations: found, next: null };
  }

  /** How many there are, as far as it is worth counting. */
  count(filter: ConversationFilter, most: number): number {
    const query: ConversationQuery = { ...filter, sort: 'newest', limit: most, after: null };
    return this.page(query).conversations.length;
  }

  /** All that may be meant, in order: read only as far as it is needed. */
  #candidates(query: ConversationQuery): Iterable<ConversationRow> {
    const { q, mentionedId, sort, label, after } = query;
    if (q !== undefined) return this.#inOrder(query, this.#named(q, query));
    if (mentionedId !== undefined) return this.#inOrder(query, this.#mentioning(mentionedId));
    if (sort === 'waiting') {
      const { at, conversationId } = after ?? { at: 0, conversationId: '' };
      return this.sql.exec<ConversationRow>(
        `SELECT * FROM conversations WHERE waiting_since IS NOT NULL AND (waiting_since, conversation_id) > (?, ?)
         ORDER BY waiting_since, conversation_id`,
        at,
        conversationId,
      );
    }
    if (label !== undefined) return this.#labelled(label, after ?? end);
    return this.#byStatus(query, after ?? end);
  }

  *#labelled(label: string, { at, conversationId }: Place): Generator<ConversationRow> {
    const sources = this.#rows.spellings.of(label).map((spelling) =>
      this.sql.exec<ConversationRow>(
        `SELECT c.* FROM conversation_labels l CROSS JOIN conversations c ON c.conversation_id = l.conversation_id
         WHERE l.label = ? AND (l.last_message, l.conversation_id) < (?, ?)
         ORDER BY l.last_message DESC, l.conversation_id DESC`,
        ...[spelling, at, conversationId],
      ),
    );
    let last: string | null = null;
    for (const row of merged(sources, isNewer)) {
      // One of earlier days may bear several spellings.
      if (row.conversation_id !== last) yield row;
      last = row.conversation_id;
    }
  }

  #byStatus({ statuses, assigneeId, teamId }: ConversationQuery, { at, conversationId }: Place) {
    const [column, value] =
      assigneeId !== undefined
        ? (['assignee_id', assigneeId] as const)
        : (['team_id', teamId ?? null] as const);
    // Of those without a team there is no index: nearly all are.
    const isNarrowed = column === 'assignee_id' || value !== null;
    const condition = value === null ? `${column} IS NULL` : `${column} = ?`;
    const sources = (statuses ?? conversationStatuses).map((status) =>
      this.sql.exec<ConversationRow>(
        `SELECT * FROM conversations WHERE ${isNarrowed ? `${condition} AND ` : ''}status = ?
           AND (last_message, conversation_id) < (?, ?)
         ORDER BY last_message DESC, conversation_id DESC`,
        ...(isNarrowed && value !== null ? [value] : []),
        ...[status, at, conversationId],
      ),
    );
    return merged(sources, isNewer);
  }

  /** What was found by other ways than an index in that order. */
  *#inOrder(query: ConversationQuery, ids: readonly string[]): Generator<ConversationRow> {
    const { sort, after } = query;
    const places = this.#rows
      .places(ids)
      .filter((row) => sort !== 'waiting' || row.waiting_since !== null)
      .filter((row) => after === null || compare(query, after, placeOf(query, row)) < 0)
      .toSorted((a, b) => compare(query, placeOf(query, a), placeOf(query, b)));
    const step = query.limit + 1;
    for (let first = 0; first < places.length; first += step) {
      yield* this.#rows.rowsOf(places.slice(first, first + step).map((row) => row.conversation_id));
    }
  }

  #named(q: string, query: ConversationQuery): string[] {
    if (phrasesOf(q).length === 0) return [];
    const asked = { limit: contactsMax, after: null, order: 'newest first', now: Date.now() } as const;
    const { contacts } = this.#contacts.page({ q }, asked);
    const addresses = {
      phones: contacts.flatMap(({ phoneNumber }) => phoneNumber ?? []),
      lids: contacts.flatMap(({ lid }) => lid ?? []),
    };
    const people = this.#rows.idsWith(addresses, query, rowsReadMax);
    return [...people, ...this.#groupWords.find(q, rowsReadMax)];
  }

  #mentioning(userId: string): string[] {
    return this.queryValues<string>(
      `SELECT conversation_id FROM conversation_mentions WHERE user_id = ? LIMIT ${rowsReadMax}`,
      userId,
    );
  }
}

function matches(filter: ConversationQuery, row: ConversationRow): boolean {
  const { statuses, assigneeId, teamId, label, numberId, priority, isWaiting, hiddenNumberIds } = filter;
  const { campaignId } = filter;
  return (
    (statuses === undefined || statuses.includes(row.status)) &&
    (assigneeId === undefined || assigneeId === row.assignee_id) &&
    (teamId === undefined || teamId === row.team_id) &&
    (numberId === undefined || numberId === row.number_id) &&
    (priority === undefined || priority === row.priority) &&
    (isWaiting === undefined || isWaiting === (row.waiting_since !== null)) &&
    (campaignId === undefined || answersCampaign(row, campaignId)) &&
    (label === undefined || hasLabel(JSON.parse(row.labels), label)) &&
    !hiddenNumberIds.includes(row.number_id)
  );
}

function answersCampaign({ answers }: ConversationRow, campaignId: string): boolean {
  const origin = answers === null ? null : (JSON.parse(answers) as AnsweredMessage).origin;
  return origin?.kind === 'campaign' && origin.campaignId === campaignId;
}

const placeOf = ({ sort }: ConversationQuery, row: ConversationPlace): Place => ({
  at: (sort === 'waiting' ? row.waiting_since : row.last_message) ?? 0,
  conversationId: row.conversation_id,
});

/** Below 0: `a` stands first. */
function compare({ sort }: ConversationQuery, a: Place, b: Place): number {
  const order =
    a.at - b.at || (a.conversationId < b.conversationId ? -1 : Number(a.conversationId !== b.conversationId));
  return sort === 'waiting' ? order : -order;
}

const isNewer = (a: ConversationRow, b: ConversationRow): boolean =>
  a.last_message > b.last_message ||
  (a.last_message === b.last_message && a.conversation_id > b.conversation_id);
