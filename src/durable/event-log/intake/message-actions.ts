import type { MessageAction, OutboundContent } from '../../../contract/messages/actions.ts';
import { providerMessageIdOf } from '../../message-ids.ts';
import type { EventDraft } from '../events/event-draft.ts';
import type { SendFact } from '../facts.ts';
import type { MessageRows } from '../messages/message-rows.ts';
import type { MessageChanges } from './message-changes.ts';

/** So many of the last actions are known again, by a repeat or by a device that asks once more. */
const actionsKept = 10_000;

/** A fact about something that the account does to a message. */
type ActionFact = SendFact<MessageAction>;

/** What the account has done to messages: it shows when the network has taken it. */
export class MessageActions {
  readonly #sql: SqlStorage;
  readonly #rows: MessageRows;
  readonly #changes: MessageChanges;

  constructor(sql: SqlStorage, rows: MessageRows, changes: MessageChanges) {
    this.#sql = sql;
    this.#rows = rows;
    this.#changes = changes;
  }

  /** Call it inside a transaction. */
  told({ kind, message }: ActionFact): EventDraft[] {
    if (kind !== 'message.sent' || !this.#isNew(message)) return [];
    const { content, from, queuedAt } = message;
    const target = this.#rows.find(content.targetId);
    if (target === null) return [];
    // When it was accepted: a repeat says the same.
    const deed = { from: from ?? '', at: queuedAt };
    switch (content.type) {
      case 'edit':
        return this.#changes.edited(target, content.text, deed);
      case 'delete':
        return this.#changes.deleted(target, deed);
      case 'reaction':
        return this.#changes.reacted(target, content.emoji, deed);
      case 'read':
        return [];
    }
  }

  /** What was sent under this id, for a device that could not read it. */
  sentContent(providerMessageId: string): { content: OutboundContent; to: string } | null {
    const query = 'SELECT content, recipient FROM message_actions WHERE key = ?';
    const row = this.#sql.exec<{ content: string; recipient: string }>(query, providerMessageId).toArray()[0];
    return row === undefined ? null : { content: JSON.parse(row.content), to: row.recipient };
  }

  #isNew({ messageId, content, to }: ActionFact['message']): boolean {
    const insert = 'INSERT OR IGNORE INTO message_actions (key, content, recipient) VALUES (?, ?, ?)';
    const json = JSON.stringify(content);
    if (this.#sql.exec(insert, providerMessageIdOf(messageId), json, to).rowsWritten === 0) return false;
    this.#sql.exec(
      'DELETE FROM message_actions WHERE id <= (SELECT max(id) FROM message_actions) - ?',
      actionsKept,
    );
    return true;
  }
}
