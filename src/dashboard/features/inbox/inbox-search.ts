import { onlyGiven } from '../../../contract/given.ts';
import type { ConversationFilter } from '../../../sdk/index.ts';
import { searchText } from '../../parts/lists/search.ts';

const views = ['mine', 'unassigned', 'mentioned'] as const;
const statuses = ['pending', 'snoozed', 'resolved', 'any'] as const;

/** What the list shows, as it stands in the address. Nothing: all that is open, newest first. */
export interface InboxSearch {
  view?: (typeof views)[number] | undefined;
  status?: (typeof statuses)[number] | undefined;
  team?: string | undefined;
  person?: string | undefined;
  label?: string | undefined;
  number?: string | undefined;
  campaign?: string | undefined;
  waiting?: true | undefined;
  sort?: 'waiting' | undefined;
  q?: string | undefined;
}

export function inboxSearch(search: Record<string, unknown>): InboxSearch {
  return {
    view: views.find((name) => name === search.view),
    status: statuses.find((name) => name === search.status),
    team: searchText(search.team),
    person: searchText(search.person),
    label: searchText(search.label),
    number: searchText(search.number),
    campaign: searchText(search.campaign),
    waiting: search.waiting === true ? true : undefined,
    sort: search.sort === 'waiting' ? 'waiting' : undefined,
    q: searchText(search.q),
  };
}

export function filterOf(search: InboxSearch): ConversationFilter {
  const { view, status, team, person, label, number, campaign, waiting, sort, q } = search;
  return onlyGiven({
    status: status === 'any' ? undefined : (status ?? 'open'),
    assignee: view === 'mine' ? 'me' : view === 'unassigned' ? 'none' : person,
    mentioned: view === 'mentioned' ? ('me' as const) : undefined,
    team,
    label,
    numberId: number,
    campaignId: campaign,
    waiting,
    sort,
    q,
  });
}

/** How many filters are set beside the view, the status and the words. */
export const filtersSet = ({ team, person, label, number, campaign, waiting }: InboxSearch): number =>
  [team, person, label, number, campaign, waiting].filter((value) => value !== undefined).length;

/** Where in the chat to begin: at a message, or at a time. */
export interface ChatSearch {
  at?: string | undefined;
  message?: string | undefined;
}

export const chatSearch = (search: Record<string, unknown>): ChatSearch => ({
  at: typeof search.at === 'string' && !Number.isNaN(Date.parse(search.at)) ? search.at : undefined,
  message: searchText(search.message),
});

/** Another chat is opened at its newest message; the list stays as it is. */
export const keepFilters = (search: object): InboxSearch & ChatSearch => ({
  ...inboxSearch(search as Record<string, unknown>),
});

/** The same list, and the chat at a time or a message. */
export const jumpTo =
  (to: ChatSearch) =>
  (search: object): InboxSearch & ChatSearch => ({ ...keepFilters(search), ...to });
