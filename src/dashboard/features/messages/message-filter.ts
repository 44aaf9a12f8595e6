import { onlyGiven } from '../../../contract/given.ts';
import type { MessageFilter } from '../../../sdk/index.ts';
import { searchText } from '../../parts/lists/search.ts';

/** What the address of the list holds; every view of it can be sent as a link. */
export interface MessageSearch {
  q?: string;
  status?: NonNullable<MessageFilter['status']>;
  direction?: NonNullable<MessageFilter['direction']>;
  numberId?: string;
  to?: string;
}

export const statuses = ['queued', 'sent', 'delivered', 'read', 'failed', 'received'] as const;
export const directions = ['outbound', 'inbound'] as const;

export function messageSearch(search: Record<string, unknown>): MessageSearch {
  const { q, to, numberId } = search;
  return onlyGiven({
    q: searchText(q),
    status: statuses.find((status) => status === search.status),
    direction: directions.find((direction) => direction === search.direction),
    numberId: searchText(numberId),
    to: searchText(to),
  });
}
