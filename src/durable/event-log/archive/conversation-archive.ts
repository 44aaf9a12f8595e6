import { logFault } from '../../log.ts';
import type { ConversationMerging } from '../conversations/merging/conversation-merging.ts';
import type { ArchivedConversations } from '../conversations/rows/archived-conversations.ts';
import { type ConversationRow, conversationOf } from '../conversations/rows/conversation-row.ts';
import type { ConversationRows } from '../conversations/rows/conversation-rows.ts';
import type { EventDraft } from '../events/event-draft.ts';
import { idsPerMs } from '../messages/logged-message.ts';
import { type ArchiveCalls, inTime } from './archive-calls.ts';
import { pastLine } from './archived-lines.ts';
import type { ArchivedPasts } from './archived-pasts.ts';

/** Conversations of one call: each is an object of its own. */
const atOnce = 50;
/** So long nothing is looked for where nothing was found. */
const restMs = 10 * 60_000;
/** Resolved ones that are looked at, the oldest first. */
const lookedAtMax = 1_000;

/** Of a resolved one nothing is left but its row: its activity and notes have gone, and nobody is to read anything in it. */
const mayGo = `status = 'resolved' AND group_id IS NULL
  AND NOT EXISTS (SELECT 1 FROM conversation_activity AS a WHERE a.conversation_id = c.conversation_id)
  AND NOT EXISTS (SELECT 1 FROM conversation_notes AS n WHERE n.conversation_id = c.conversation_id)
  AND NOT EXISTS (SELECT 1 FROM conversation_mentions AS m WHERE m.conversation_id = c.conversation_id)`;

export interface ConversationArchiveParts {
  storage: DurableObjectStorage;
  rows: ConversationRows;
  archived: ArchivedConversations;
  merging: Pick<ConversationMerging, 'comeBack'>;
  pasts: ArchivedPasts;
  calls: ArchiveCalls;
  commit: (change: (now: number) => EventDraft[]) => void;
}

/**
 * Moves resolved conversations to the archive, each into an object of its own, and back. One that somebody opens comes back
 * whole. If the contact writes before that, a conversation with the same id begins at once, and gets its archived fields later.
 */
export class ConversationArchive {
  readonly #parts: ConversationArchiveParts;
  /** Conversations that came back since the log woke: somebody is looking at them. */
  readonly #opened = new Set<string>();
  #restUntil = 0;

  constructor(parts: ConversationArchiveParts) {
    this.#parts = parts;
  }

  /**
   * The time of the last message of the oldest conversation that can go, in milliseconds since 1970. Null: none has been
   * untouched since `before`.
   */
  oldestAt(before: number, now: number): number | null {
    if (now < this.#restUntil) return null;
    const [row] = this.#next(before, 1);
    if (row === undefined) this.#restUntil = now + restMs;
    return row === undefined ? null : Math.floor(row.last_message / idsPerMs);
  }

  /** What kept one here may have gone. */
  lookAgain(): void {
    this.#restUntil = 0;
  }

  /** Moves some that were untouched since before then; how many, 0: none may go. */
  async move(before: number): Promise<number> {
    const { storage, rows, archived, pasts, calls } = this.#parts;
    const next = this.#next(before, atOnce);
    if (next.length === 0) return 0;
    // Noted before they are written, so that nothing stands in R2 that no erasure would find.
    storage.transactionSync(() => {
      for (const row of next) pasts.note(row.conversation_id, row.last_message);
    });
    const written = next.map((row) => ({ key: pasts.keyOf(row.conversation_id), lines: lineOf(row) }));
    await inTime(calls.addPasts(written));
    storage.transactionSync(() => {
      for (const row of next) {
        // Touched, opened, joined or erased meanwhile.
        const [now] = this.#rows(`conversation_id = ? AND ${mayGo}`, row.conversation_id);
        if (now === undefined || lineOf(now) !== lineOf(row)) continue;
        rows.remove(conversationOf(row));
        archived.add(conversationOf(row));
      }
    });
    return next.length;
  }

  /** Brings back what is archived of a conversation, if it is. */
  async restore(conversationId: string): Promise<void> {
    const { archived, merging, pasts, calls, commit } = this.#parts;
    if (!archived.has(conversationId)) return;
    const asked = { kind: 'conversation', below: Number.MAX_SAFE_INTEGER, limit: 1 } as const;
    const found = await inTime(calls.past(pasts.keyOf(conversationId), asked));
    if (found === null) logFault('archive.past_missing', new Error('no such object'), { conversationId });
    commit((now) => {
      if (!archived.has(conversationId)) return [];
      archived.remove(conversationId);
      if (this.#opened.size >= lookedAtMax) this.#opened.clear();
      this.#opened.add(conversationId);
      if (!found?.[0]) return [];
      const { id, ...row } = found[0];
      return merging.comeBack(conversationOf(row as unknown as ConversationRow), now);
    });
  }

  dueAt(): number | null {
    return this.#parts.archived.nextBack() === null ? null : 1;
  }

  /** Tells those that are there again what they were. */
  async run(): Promise<void> {
    for (let id = this.#parts.archived.nextBack(); id !== null; id = this.#parts.archived.nextBack()) {
      await this.restore(id);
    }
  }

  #next(before: number, limit: number): ConversationRow[] {
    return this.#rows(
      `conversation_id IN (SELECT conversation_id FROM conversations
           WHERE status = 'resolved' AND last_message < ? AND group_id IS NULL ORDER BY last_message LIMIT ${lookedAtMax})
         AND ${mayGo} AND conversation_id NOT IN (SELECT value FROM json_each(?)) ORDER BY last_message LIMIT ?`,
      ...[before * idsPerMs, JSON.stringify([...this.#opened]), limit],
    );
  }

  #rows(condition: string, ...values: SqlStorageValue[]): ConversationRow[] {
    const query = `SELECT * FROM conversations AS c WHERE ${condition}`;
    return this.#parts.storage.sql.exec<ConversationRow>(query, ...values).toArray();
  }
}

const lineOf = (row: ConversationRow): string => pastLine('conversation', { id: row.last_message, ...row });
