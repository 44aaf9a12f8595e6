import type { InfiniteData } from '@tanstack/react-query';
import type { Conversation, ConversationFilter, Page } from '../../../sdk/index.ts';
import { changePages, replaceInPages } from '../pages.ts';

/** What a list shows of words and of mentions, the gateway alone can tell. */
export const isSearch = ({ q, mentioned }: ConversationFilter) => q !== undefined || mentioned !== undefined;

/** Whether a list shows it that is no search. */
function fits(conversation: Conversation, filter: ConversationFilter, ownId: string): boolean {
  const { status, assignee, team, label, numberId, priority, campaignId, waiting, sort } = filter;
  const wanted = assignee === 'me' ? ownId : assignee === 'none' ? null : assignee;
  return (
    (status === undefined || status.split(',').includes(conversation.status)) &&
    (wanted === undefined || conversation.assigneeId === wanted) &&
    (team === undefined || conversation.teamId === (team === 'none' ? null : team)) &&
    (label === undefined || conversation.labels.includes(label)) &&
    (numberId === undefined || conversation.numberId === numberId) &&
    (priority === undefined || conversation.priority === priority) &&
    (campaignId === undefined || conversation.campaign?.campaignId === campaignId) &&
    (waiting === undefined || (conversation.waitingSince !== null) === waiting) &&
    (sort !== 'waiting' || conversation.waitingSince !== null)
  );
}

type Order = (one: Conversation, other: Conversation) => number;
const byId: Order = (one, other) => (one.conversationId < other.conversationId ? -1 : 1);
const orders: Record<NonNullable<ConversationFilter['sort']>, Order> = {
  newest: (one, other) => other.position - one.position || byId(other, one),
  waiting: (one, other) =>
    Date.parse(one.waitingSince ?? '') - Date.parse(other.waitingSince ?? '') || byId(one, other),
};

/** A list with conversations as they are now, each where it stands; what the list does not show any more is left out. */
export function listWith<Place>(
  shown: InfiniteData<Page<Conversation>, Place>,
  filter: ConversationFilter,
  told: readonly Conversation[],
  ownId: string,
): InfiniteData<Page<Conversation>, Place> {
  const byIds = new Map(told.map((conversation) => [conversation.conversationId, conversation]));
  if (isSearch(filter)) return changePages(shown, (one) => byIds.get(one.conversationId) ?? one);
  const fitting = told.filter((one) => fits(one, filter, ownId));
  const isTold = ({ conversationId }: Conversation) => byIds.has(conversationId);
  return replaceInPages(shown, isTold, fitting, orders[filter.sort ?? 'newest']);
}
