import type { ConversationHook } from '../conversations/conversation-steps.ts';
import type { Conversations } from '../conversations/conversations.ts';
import type { ConversationRows } from '../conversations/rows/conversation-rows.ts';
import { idsPerMs } from '../messages/logged-message.ts';
import { Automations, type AutomationsParts } from './automations.ts';
import type { LookupParts } from './reading/lookups.ts';

interface Needs
  extends Omit<AutomationsParts, 'conversations' | 'lookups' | 'hasAnswered'>,
    Omit<LookupParts, 'conversations' | 'sql'> {
  talk: { conversations: Conversations; rows: ConversationRows; hooks: ConversationHook[] };
}

/** The rules of a log, over what they look at and change. */
export function assembleAutomations(needs: Needs): Automations {
  const { talk, ctx, messages, phones, contactRows, isOpen } = needs;
  const { sql } = ctx.storage;
  const hasAnswered = ({ numberId, to }: { numberId: string; to: string }, since: number) =>
    sql
      .exec(
        `SELECT 1 FROM messages WHERE peer = ? AND id > ? AND number_id = ? AND direction = 'outbound'
           AND (sender_source IS NULL OR origin ->> '$.kind' = 'person') LIMIT 1`,
        ...[to, since * idsPerMs, numberId],
      )
      .toArray().length > 0;
  const lookups = { sql, messages, phones, contactRows, conversations: talk.rows, isOpen };
  const automations = new Automations({ ...needs, conversations: talk.conversations, lookups, hasAnswered });
  talk.hooks.push(automations.hook);
  return automations;
}
