import { insertRow, Tables, updateRow } from '../../../storage/rows.ts';
import { LabelSpellings } from '../../labels/label-spellings.ts';
import type { ChatAddress, Conversation, PersonAddress } from '../conversation.ts';
import { type ConversationRow, conversationOf, conversationRow } from './conversation-row.ts';
import { GroupWords } from './group-words.ts';

/** Those of a team that is gone, of one transaction: a few milliseconds. */
const forgottenMax = 1_000;

/** What a list is sorted by. */
export type ConversationPlace = Pick<ConversationRow, 'conversation_id' | 'last_message' | 'waiting_since'>;

/** A place among those who wait: behind all of a moment, or behind one conversation of it. */
export interface WaitPlace {
  since: number;
  conversationId: string | null;
}

/** The table of conversations. Call what writes inside a transaction. */
export class ConversationRows extends Tables {
  readonly #groupWords: GroupWords;
  readonly spellings: LabelSpellings;

  constructor(sql: SqlStorage) {
    super(sql);
    this.#groupWords = new GroupWords(sql);
    this.spellings = new LabelSpellings(sql, 'conversation_labels');
  }

  find(conversationId: string): Conversation | null {
    return this.#one('conversation_id = ?', conversationId);
  }

  /** The conversation of a chat, by whichever address is known. */
  of({ numberId, phoneNumber, lid, groupId }: ChatAddress): Conversation | null {
    if (groupId !== null) return this.#one('number_id = ? AND group_id = ?', numberId, groupId);
    return (
      (phoneNumber === null ? null : this.#one('number_id = ? AND phone = ?', numberId, phoneNumber)) ??
      (lid === null ? null : this.#one('number_id = ? AND lid = ?', numberId, lid))
    );
  }

  /** Two conversations with one number under two addresses of a person, the older one first; at most `limit` pairs. */
  twins(one: PersonAddress, other: PersonAddress, limit: number): [Conversation, Conversation][] {
    const pairs = this.queryAll<{ a: string; b: string }>(
      `SELECT a.conversation_id AS a, b.conversation_id AS b FROM conversations AS a
           CROSS JOIN conversations AS b ON b.${other.kind} = ?2 AND b.number_id = a.number_id
         WHERE a.${one.kind} = ?1 AND a.conversation_id <> b.conversation_id LIMIT ?3`,
      ...[one.address, other.address, limit],
    );
    return pairs.flatMap(({ a, b }) => {
      const [first, second] = [a, b].sort().map((id) => this.find(id));
      return first && second ? [[first, second]] : [];
    });
  }

  /**
   * Adds the second address to all conversations that have the first, except where another conversation with the same number has
   * it still.
   */
  readdress({ kind, address }: PersonAddress, to: PersonAddress): void {
    const statement = `UPDATE OR IGNORE conversations SET ${to.kind} = ?1 WHERE ${kind} = ?2 AND ${to.kind} IS NOT ?1`;
    this.sql.exec(statement, to.address, address);
  }

  /** Those of somebody with both of these addresses, behind a number, in the order of the numbers. */
  withBoth(phoneNumber: string, lid: string, after: string, limit: number): Conversation[] {
    const condition = 'phone = ? AND number_id > ? AND lid = ? ORDER BY number_id LIMIT ?';
    return this.#all(condition, phoneNumber, after, lid, limit);
  }

  /** Those with somebody of these addresses that there were at a time, at most `limit`. */
  withPerson(addresses: readonly string[], at: number, limit: number): Conversation[] {
    return this.#all(
      `group_id IS NULL AND created_at <= ?2
         AND (phone IN (SELECT value FROM json_each(?1)) OR lid IN (SELECT value FROM json_each(?1))) LIMIT ?3`,
      ...[JSON.stringify(addresses), at, limit],
    );
  }

  /** The ids of those with any of these people, whatever the number of numbers; at most `limit`. */
  idsWith(
    { phones, lids }: { phones: readonly string[]; lids: readonly string[] },
    { numberId, hiddenNumberIds }: { numberId?: string | undefined; hiddenNumberIds: readonly string[] },
    limit: number,
  ): string[] {
    const ofThese = (column: 'phone' | 'lid', asked: string) =>
      `SELECT c.conversation_id AS id FROM json_each(${asked}) AS asked
         CROSS JOIN conversations AS c ON c.${column} = asked.value
       WHERE (?3 IS NULL OR c.number_id = ?3) AND c.number_id NOT IN (SELECT value FROM json_each(?4))`;
    return this.queryValues<string>(
      `${ofThese('phone', '?1')} UNION ${ofThese('lid', '?2')} LIMIT ?5`,
      ...[JSON.stringify(phones), JSON.stringify(lids), numberId ?? null, JSON.stringify(hiddenNumberIds)],
      limit,
    );
  }

  /** Where these stand in a list. */
  places(ids: readonly string[]): ConversationPlace[] {
    return this.queryAll<ConversationPlace>(
      `SELECT conversation_id, last_message, waiting_since FROM conversations
         WHERE conversation_id IN (SELECT value FROM json_each(?))`,
      JSON.stringify(ids),
    );
  }

  /** As they are stored, in that order. */
  rowsOf(ids: readonly string[]): ConversationRow[] {
    const found = this.#rows('conversation_id IN (SELECT value FROM json_each(?))', JSON.stringify(ids));
    const byId = new Map(found.map((row) => [row.conversation_id, row]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  /** Stores a conversation as it is now; `before`: as it is stored, null where it is new. Only what has changed is written. */
  put(conversation: Conversation, before: Conversation | null): void {
    const row = conversationRow(conversation);
    if (before === null) insertRow(this.sql, 'INSERT INTO conversations', row);
    else {
      const key = ['conversation_id'] as const;
      if (!updateRow(this.sql, 'conversations', key, conversationRow(before), row)) return;
    }
    this.#putLabels(conversation, before);
    const { conversationId, subject } = conversation;
    if (subject !== null && subject !== before?.subject) this.#groupWords.put(conversationId, subject);
  }

  remove(conversation: Conversation): void {
    this.#putLabels({ ...conversation, labels: [] }, conversation);
    this.sql.exec('DELETE FROM conversations WHERE conversation_id = ?', conversation.conversationId);
  }

  /** Who has conversations: by steps from one to the next, however many those are. */
  assigneeIds(): string[] {
    const found: string[] = [];
    for (let after = ''; ; ) {
      const query = 'SELECT min(assignee_id) FROM conversations WHERE assignee_id > ?';
      const next = this.queryValue<string>(query, after);
      if (next === null) return found;
      found.push(next);
      after = next;
    }
  }

  /** What somebody has, at most `limit`. */
  assignedTo(assigneeId: string, limit: number): Conversation[] {
    return this.#all('assignee_id = ? LIMIT ?', assigneeId, limit);
  }

  /** What a team has is no team's, some of it; true: nothing is left. */
  forgetTeam(teamId: string): boolean {
    const forgotten = this.queryAll(
      `UPDATE conversations SET team_id = NULL WHERE conversation_id IN
           (SELECT conversation_id FROM conversations WHERE team_id = ? LIMIT ?) RETURNING 1`,
      ...[teamId, forgottenMax],
    );
    return forgotten.length < forgottenMax;
  }

  /** Snoozed ones whose time has come, at most `limit`. */
  overSlept(now: number, limit: number): Conversation[] {
    return this.#all('snoozed_until <= ? ORDER BY snoozed_until LIMIT ?', now, limit);
  }

  /** Those that began to wait behind `after` and not behind `until`, the longest waiting first. */
  waiting({ since, conversationId }: WaitPlace, until: number, limit: number): Conversation[] {
    if (conversationId === null) {
      return this.#all(
        'waiting_since > ? AND waiting_since <= ? ORDER BY waiting_since, conversation_id LIMIT ?',
        since,
        until,
        limit,
      );
    }
    return this.#all(
      `waiting_since >= ?1 AND waiting_since <= ?3 AND (waiting_since > ?1 OR conversation_id > ?2)
         ORDER BY waiting_since, conversation_id LIMIT ?4`,
      since,
      conversationId,
      until,
      limit,
    );
  }

  /** When the first one wakes; null: none sleeps. */
  nextWake(): number | null {
    const query = 'SELECT min(snoozed_until) FROM conversations WHERE snoozed_until IS NOT NULL';
    return this.queryValue<number>(query);
  }

  #putLabels({ conversationId, labels, lastMessage }: Conversation, before: Conversation | null): void {
    const known = before?.labels ?? [];
    const isMoved = before?.lastMessage !== lastMessage;
    for (const label of known) {
      if (labels.includes(label) && !isMoved) continue;
      this.sql.exec(
        'DELETE FROM conversation_labels WHERE label = ? AND last_message = ? AND conversation_id = ?',
        label,
        before?.lastMessage ?? 0,
        conversationId,
      );
    }
    for (const label of labels) {
      if (known.includes(label) && !isMoved) continue;
      this.sql.exec('INSERT INTO conversation_labels VALUES (?, ?, ?)', label, lastMessage, conversationId);
    }
  }

  #one(condition: string, ...values: SqlStorageValue[]): Conversation | null {
    return this.#all(condition, ...values)[0] ?? null;
  }

  #all(condition: string, ...values: SqlStorageValue[]): Conversation[] {
    return this.#rows(condition, ...values).map(conversationOf);
  }

  #rows(condition: string, ...values: SqlStorageValue[]): ConversationRow[] {
    return this.queryAll<ConversationRow>(`SELECT * FROM conversations WHERE ${condition}`, ...values);
  }
}
