import type { MessageAction, OutboundContent } from '../../../../contract/messages/actions.ts';
import { aliasAddress } from '../../../../contract/messages/recipient.ts';
import { providerMessageIdOf } from '../../../new-ids.ts';
import { Tables } from '../../../storage/rows.ts';
import type { EventDraft } from '../../events/event-draft.ts';
import type { SendFact } from '../../facts.ts';
import type { FailedAction, LoggedMessage } from '../../messages/logged-message.ts';
import type { MessageRows } from '../../messages/message-rows.ts';
import type { MessageChanges } from './message-changes.ts';

/** So many of the last actions are known again, by a repeat or by a device that asks once more. */
const actionsKept = 10_000;
/** Of one message so many of the last ones that came to nothing are shown. */
const failuresKept = 10;

/** A fact about something that the account does to a message. */
type ActionFact = SendFact<MessageAction>;
type FailedFact = Extract<ActionFact, { kind: 'message.failed' }>;

/**
 * Actions of the account on messages. They are shown when the network has accepted them. A failed action is stored in the
 * record of its message; no event reports it.
 */
export class MessageActions extends Tables {
  readonly #rows: MessageRows;
  readonly #changes: MessageChanges;

  constructor(sql: SqlStorage, rows: MessageRows, changes: MessageChanges) {
    super(sql);
    this.#rows = rows;
    this.#changes = changes;
  }

  /** Call it inside a transaction. */
  told(fact: ActionFact): EventDraft[] {
    if (fact.kind === 'message.failed') this.#failed(fact);
    if (fact.kind !== 'message.sent' || !this.#isNew(fact.message)) return [];
    const { content, from, queuedAt } = fact.message;
    const target = this.#rows.find(content.targetId);
    if (target === null) return [];
    this.#notFailed(target, fact.message);
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

  #failed({ message, at, errorMessage, errorCode }: FailedFact): void {
    const { messageId, content, queuedAt } = message;
    const target = this.#rows.find(content.targetId);
    const isKnown = target?.failedActions.some((known) => known.messageId === messageId);
    // Evidence that the network has it counts for more than a failure that comes late.
    if (target === null || isKnown || this.sentContent(providerMessageIdOf(messageId)) !== null) return;
    const failed: FailedAction = {
      messageId,
      action: content.type,
      acceptedAt: queuedAt,
      failedAt: at,
      errorMessage,
      errorCode: errorCode ?? null,
    };
    this.#rows.saveFailedActions(target, [...target.failedActions, failed].slice(-failuresKept));
  }

  /** The network has it after all. */
  #notFailed(target: LoggedMessage, { messageId }: ActionFact['message']): void {
    const others = target.failedActions.filter((known) => known.messageId !== messageId);
    if (others.length < target.failedActions.length) this.#rows.saveFailedActions(target, others);
  }

  /** What was sent under this id, for a device that could not read it. */
  sentContent(providerMessageId: string): { content: OutboundContent; to: string } | null {
    const query = 'SELECT content, recipient FROM message_actions WHERE key = ?';
    const row = this.queryFirst<{ content: string; recipient: string }>(query, providerMessageId);
    return row === undefined ? null : { content: JSON.parse(row.content), to: row.recipient };
  }

  /** Somebody was erased: what was done to messages with them, or of theirs in groups; how many, at most `limit`. */
  forget(address: string, limit: number): number {
    return this.queryAll(
      `DELETE FROM message_actions WHERE id IN (SELECT id FROM message_actions
           WHERE recipient IN (?1, ?2) OR content ->> '$.target.author' = ?1 OR content ->> '$.target.authorLid' = ?1
           LIMIT ?3) RETURNING 1`,
      ...[address, aliasAddress(address), limit],
    ).length;
  }

  #isNew({ messageId, content, to }: ActionFact['message']): boolean {
    const insert = 'INSERT OR IGNORE INTO message_actions (key, content, recipient) VALUES (?, ?, ?)';
    const json = JSON.stringify(content);
    if (this.sql.exec(insert, providerMessageIdOf(messageId), json, to).rowsWritten === 0) return false;
    this.sql.exec(
      'DELETE FROM message_actions WHERE id <= (SELECT max(id) FROM message_actions) - ?',
      actionsKept,
    );
    return true;
  }
}
