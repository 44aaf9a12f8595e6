import type { z } from 'zod';
import type { ConversationFilter } from '../../../durable/event-log/conversations/reading/conversation-list.ts';
import { askLog } from '../../object-calls.ts';
import type { conversationCountsSchema } from './records.ts';

export type ConversationCounts = z.infer<typeof conversationCountsSchema>;

/** Beyond this nobody wants to know how many there are. */
const countMax = 1_000;

/** How many conversations there are for somebody, without those of the numbers that are not for them. */
export async function countsOf(
  env: Env,
  accountId: string,
  userId: string,
  hiddenNumberIds: readonly string[],
): Promise<ConversationCounts> {
  const filters: Record<keyof ConversationCounts, Partial<ConversationFilter>> = {
    open: { statuses: ['open'] },
    pending: { statuses: ['pending'] },
    snoozed: { statuses: ['snoozed'] },
    mine: { statuses: ['open'], assigneeId: userId },
    unassigned: { statuses: ['open'], assigneeId: null },
    waiting: { isWaiting: true, statuses: ['open', 'pending'] },
    mentioned: { mentionedId: userId },
  };
  const asked = Object.values(filters).map((filter) => ({ ...filter, hiddenNumberIds }));
  const counts = await askLog(env, accountId, (log) => log.conversationCounts(asked, countMax));
  const names = Object.keys(filters) as (keyof ConversationCounts)[];
  const shown = Object.fromEntries(names.map((name, index) => [name, counts[index] ?? 0]));
  return shown as ConversationCounts;
}
