import type { Actor } from '../../../contract/conversations/conversation.ts';
import { Tables } from '../../storage/rows.ts';
import type { Conversation } from './conversation.ts';

/** What somebody has changed, from what to what. */
interface ActivityChange {
  action: 'status' | 'assignee' | 'team' | 'labels' | 'priority' | 'bot' | 'merged';
  from: string | readonly string[] | null;
  to: string | readonly string[] | null;
}

export interface Activity extends ActivityChange {
  /** Its place in the history of the conversation. */
  id: number;
  at: number;
  actor: Actor;
}

export type ActivityRow = { id: number; at: number; actor: string; change: string };

export const activityOf = ({ id, at, actor, change }: ActivityRow): Activity => ({
  ...{ id, at, actor: JSON.parse(actor) },
  ...JSON.parse(change),
});

/** What of a conversation its history tells. */
export function changesOf(before: Conversation, after: Conversation): ActivityChange[] {
  const changes: ActivityChange[] = [
    { action: 'status', from: before.status, to: after.status },
    { action: 'assignee', from: before.assigneeId, to: after.assigneeId },
    { action: 'team', from: before.teamId, to: after.teamId },
    { action: 'labels', from: before.labels, to: after.labels },
    { action: 'priority', from: before.priority, to: after.priority },
    { action: 'bot', from: before.botState, to: after.botState },
  ];
  return changes.filter(({ from, to }) => JSON.stringify(from) !== JSON.stringify(to));
}

/** The history of each conversation: who did what. Call what writes inside a transaction. */
export class ConversationActivity extends Tables {
  note(conversationId: string, actor: Actor, at: number, changes: readonly ActivityChange[]): void {
    if (changes.length === 0) return;
    const query = 'SELECT max(id) FROM conversation_activity WHERE conversation_id = ?';
    const last = this.queryValue<number>(query, conversationId);
    const first = Math.max(at * 1000, (last ?? 0) + 1);
    for (const [index, change] of changes.entries()) {
      this.sql.exec(
        'INSERT INTO conversation_activity (conversation_id, id, at, actor, change) VALUES (?, ?, ?, ?, ?)',
        ...[conversationId, first + index, at, JSON.stringify(actor), JSON.stringify(change)],
      );
    }
  }

  /** Newest first, below `before`, at most `limit`. */
  before(conversationId: string, before: number, limit: number): Activity[] {
    return this.queryAll<ActivityRow>(
      'SELECT * FROM conversation_activity WHERE conversation_id = ? AND id < ? ORDER BY id DESC LIMIT ?',
      conversationId,
      before,
      limit,
    ).map(activityOf);
  }

  /** Two conversations have become one: also what is archived of them. */
  move(from: string, to: string): void {
    this.sql.exec('UPDATE archived_pasts SET conversation_id = ? WHERE conversation_id = ?', to, from);
    moveHistory(this.sql, 'conversation_activity', from, to);
  }
}

/**
 * Moves the rows of one conversation to another. If both have a row at one position, the row of `from` gets the next free
 * position after it. (Positions follow from the time, so changes of one millisecond would share theirs.) Call inside a
 * transaction.
 */
export function moveHistory(
  sql: SqlStorage,
  table: 'conversation_activity' | 'conversation_notes',
  from: string,
  to: string,
): void {
  const shared = sql
    .exec<{ id: number }>(
      `SELECT id FROM ${table} WHERE conversation_id = ?1
         AND id IN (SELECT id FROM ${table} WHERE conversation_id = ?2) ORDER BY id`,
      ...[from, to],
    )
    .toArray();
  for (const { id } of shared) {
    sql.exec(
      `UPDATE ${table} SET conversation_id = ?2, id =
         (SELECT min(taken.id) + 1 FROM ${table} AS taken WHERE taken.conversation_id IN (?1, ?2) AND taken.id >= ?3
           AND NOT EXISTS (SELECT 1 FROM ${table} AS next
             WHERE next.conversation_id IN (?1, ?2) AND next.id = taken.id + 1))
         WHERE conversation_id = ?1 AND id = ?3`,
      ...[from, to, id],
    );
  }
  sql.exec(`UPDATE ${table} SET conversation_id = ?2 WHERE conversation_id = ?1`, ...[from, to]);
}
