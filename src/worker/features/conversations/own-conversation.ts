import type { Context } from 'hono';
import type { ShownConversation } from '../../../durable/event-log/conversations/reading/shown-conversation.ts';
import type { AppEnv } from '../../app-env.ts';
import { personOf } from '../../auth/callers.ts';
import { openDatabase } from '../../db/database.ts';
import { notFound, uuidPathId } from '../../http/request/shared-fields.ts';
import { askLog } from '../../object-calls.ts';
import { hiddenNumbersOf } from '../support/rows.ts';

export const noSuchConversation = notFound('conversation');
export const conversationPath = uuidPathId('id', 'conversation');

/** The conversation that the path names, when the caller may see it. */
export async function ownConversation(c: Context<AppEnv>): Promise<ShownConversation | null> {
  const { accountId } = c.get('caller');
  const [found, hidden] = await Promise.all([
    askLog(c.env, accountId, (log) => log.shownConversation(c.req.param('id') ?? '')),
    hiddenNumbers(c),
  ]);
  return found === null || hidden.includes(found.numberId) ? null : found;
}

/** The caller, as who does something to a conversation. */
export const actorOf = (c: Context<AppEnv>) => ({ kind: 'person', userId: personOf(c).userId }) as const;

/** The numbers of the account whose conversations are not for the caller: agents see those of their teams, and of no team. */
export async function hiddenNumbers(c: Context<AppEnv>): Promise<string[]> {
  const caller = c.get('caller');
  if (caller.kind !== 'user' || caller.role !== 'agent') return [];
  return hiddenNumbersOf(openDatabase(c.env.DB), caller.accountId, caller.userId);
}
